#include "compiler/syntax/tree.h"

#include <optional>

#include "compiler/syntax/failure.h"
#include "compiler/syntax/stream.h"

namespace wend::syntax {
namespace {

constexpr size_t kMaxFileSize = 1 << 20;

// Offset of the first byte that is not valid UTF-8 (overlong forms, surrogates and what lies beyond U+10FFFF are not).
std::optional<size_t> first_invalid(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                          : lead >= 0xE0 && lead < 0xF0 ? 3
                          : lead >= 0xF0 && lead < 0xF5 ? 4
                                                        : 0;
    if (length == 0) return i;
    for (size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    }
    const unsigned second = byte(i + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F)) {
      return i;
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace

bool is_readable(const SourceSet& sources, uint32_t file, Diagnostics& diagnostics) {
  const std::string& text = sources.file(file).text;
  if (text.size() > kMaxFileSize) {
    Diagnostic& reported =
        diagnostics.report(Kind::file_too_large, {file, 0, 0},
                           "a spec of " + std::to_string(text.size()) + " bytes; at most 1048576 are read");
    reported.help = "give the spec, not the data; split a long spec into modules";
    return false;
  }
  if (const size_t nul = text.find('\0'); nul != text.npos) {
    const auto place = static_cast<uint32_t>(nul);
    diagnostics
        .report(Kind::nul_byte, {file, place, place + 1}, "NUL at byte " + std::to_string(nul) + ": this is no text")
        .help = "check that this is the right file, saved as UTF-8 and not as UTF-16";
    return false;
  }
  if (const auto invalid = first_invalid(text)) {
    const auto place = static_cast<uint32_t>(*invalid);
    diagnostics.report(Kind::not_utf8, {file, place, place + 1}, "not UTF-8 at byte " + std::to_string(place)).help =
        "save the file as UTF-8";
    return false;
  }
  return true;
}

TreeParser::TreeParser() {
  static antlr4::CommonToken end(antlr4::Token::EOF);
  stream_ = std::make_unique<TokenSlice>(nullptr, 0, &end);
  parser_ = std::make_unique<Grammar>(stream_.get());
  parser_->removeErrorListeners();
  parser_->setErrorHandler(std::make_shared<GiveUp>());
}

TreeParser::~TreeParser() = default;

template <typename Rule>
auto TreeParser::parse(Rule rule, const SourceSet& sources, const TokenList& tokens, const Item& item,
                       Diagnostics& diagnostics) -> decltype(rule()) {
  auto stream = std::make_unique<TokenSlice>(tokens.for_parser.data() + item.first, item.count, tokens.end.get());
  parser_->setTokenStream(stream.get());  // frees the trees of the item before
  stream_ = std::move(stream);
  auto* simulator = parser_->getInterpreter<antlr4::atn::ParserATNSimulator>();
  for (const auto mode : {antlr4::atn::PredictionMode::SLL, antlr4::atn::PredictionMode::LL}) {
    simulator->setPredictionMode(mode);
    try {
      return rule();
    } catch (const Failure& failure) {
      if (mode == antlr4::atn::PredictionMode::LL) report_failure(failure, sources, tokens, item, diagnostics);
    }
    parser_->reset();
  }
  return nullptr;
}

Grammar::ItemContext* TreeParser::item(const SourceSet& sources, const TokenList& tokens, const Item& item,
                                       Diagnostics& diagnostics) {
  return parse([&] { return parser_->item(); }, sources, tokens, item, diagnostics);
}

Grammar::WholeExpressionContext* TreeParser::expression(const SourceSet& sources, const TokenList& tokens,
                                                        Diagnostics& diagnostics) {
  const Item whole{0, tokens.code.size(), false};
  return parse([&] { return parser_->wholeExpression(); }, sources, tokens, whole, diagnostics);
}

}  // namespace wend::syntax
