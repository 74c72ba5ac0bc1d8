// Any bytes as a spec: no crash, no hang, a bounded number of diagnostics that can be printed; and what parses without
// an error is formatted without a change of meaning, to a text that formatting leaves as it is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "compiler/syntax/format.h"
#include "compiler/syntax/parser.h"

namespace {

void require(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

void check_format(const wend::SourceSet& sources, const wend::ast::Module& module) {
  const std::string once = wend::format_module(sources, 0);
  wend::SourceSet again;
  wend::Diagnostics diagnostics;
  const uint32_t file = again.add("again.wend", once);
  const auto reparsed = wend::parse_module(again, file, diagnostics);
  require(reparsed && !diagnostics.has_errors(), "the formatted text does not parse", once);
  require(wend::same_meaning(module, *reparsed), "formatting changed the meaning", once);
  const std::string twice = wend::format_module(again, file);
  require(twice == once, "formatting again changes the text", once + "\n---\n" + twice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wend::SourceSet sources;
  wend::Diagnostics diagnostics;
  const uint32_t file = sources.add("fuzz.wend", std::string(reinterpret_cast<const char*>(data), size));
  const auto module = wend::parse_module(sources, file, diagnostics);
  require(diagnostics.errors() < 500, "too many diagnostics", std::to_string(diagnostics.errors()));
  wend::render_text(diagnostics, sources, true);
  wend::render_json(diagnostics, sources);
  if (module && !diagnostics.has_errors()) check_format(sources, *module);

  // A literal of the file as a template.
  const std::string& text = sources.file(file).text;
  const size_t open = text.find('"'), close = open == text.npos ? open : text.find('"', open + 1);
  const bool readable = !diagnostics.has_errors();
  if (readable && close != text.npos) {
    wend::Diagnostics ignored;
    wend::parse_template(sources, {file, static_cast<uint32_t>(open), static_cast<uint32_t>(close + 1)}, ignored);
  }
  return 0;
}
