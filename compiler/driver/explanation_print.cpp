#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "compiler/driver/explanation.h"
#include "compiler/driver/table.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownEvidence = 6;

Json evidence_json(const TermExplanation& term) {
  Json list = Json::array();
  for (const Contribution& one : term.evidence) {
    Json item;
    item["turn"] = one.place.turn != 0 ? Json(one.place.turn) : Json(nullptr);
    item["call"] = one.place.call != 0 ? Json(one.place.call) : Json(nullptr);
    item["argument"] = one.place.argument.empty() ? Json(nullptr) : Json(one.place.argument);
    item["text"] = one.place.text;
    item["value"] = one.value;
    if (one.place.gold) item["gold"] = true;
    list.push_back(std::move(item));
  }
  return list;
}

std::string evidence_line(const Contribution& one) {
  const std::string where = describe(one.place);
  std::string line = "      " + (where.empty() ? "" : where + ": ") + one.place.text;
  if (one.value != 1) line += fmt::format("  ({:+g})", one.value);
  return line + "\n";
}

std::string term_block(const TermExplanation& term) {
  std::string line = fmt::format("  {:+.4f}  {}", term.value, term.info->full_name());
  if (term.raw && *term.raw != term.value) line += fmt::format("  ({:+.4f} before its layer's weight)", *term.raw);
  if (!term.info->place.empty()) line += "  " + term.info->place;
  line += "\n";
  if (!term.info->text.empty()) line += "      = " + shortened(term.info->text, 240) + "\n";
  for (size_t i = 0; i < term.evidence.size() && i < kShownEvidence; ++i) line += evidence_line(term.evidence[i]);
  if (term.evidence.size() > kShownEvidence) {
    line += fmt::format("      ... and {} more\n", term.evidence.size() - kShownEvidence);
  }
  return line;
}

}  // namespace

std::string explanation_json(const Explanation& explanation, bool indented) {
  Json json = {{"id", explanation.id},
               {"reward", explanation.reward->name},
               {"total", explanation.total},
               {"partial", explanation.partial}};
  Json terms = Json::array();
  for (const TermExplanation& term : explanation.terms) {
    Json entry = {{"layer", term.info->layer},
                  {"term", term.info->name},
                  {"value", term.value},
                  {"raw", term.raw ? Json(*term.raw) : Json(nullptr)},
                  {"evidence", evidence_json(term)},
                  {"spec", term.info->place},
                  {"why_not", term.why_not.empty() ? Json(nullptr) : Json(term.why_not)},
                  {"valid", term.valid}};
    terms.push_back(std::move(entry));
  }
  json["terms"] = std::move(terms);
  return json.dump(indented ? 2 : -1, ' ', false, Json::error_handler_t::replace);
}

std::string explanation_text(const Explanation& explanation) {
  std::string out = fmt::format("{}: {} {:+.4f}{}\n", explanation.id, explanation.reward->name, explanation.total,
                                explanation.partial ? " (partial: some terms cannot be evaluated)" : "");
  if (!explanation.reward->doc.empty()) out += explanation.reward->doc + "\n";
  out += "\n";
  Table zeros({false});
  bool any_zero = false;
  for (const TermExplanation& term : explanation.terms) {
    if (term.value != 0) {
      out += term_block(term);
    } else {
      any_zero = true;
      zeros.row({term.info->full_name(), term.why_not});
    }
  }
  if (any_zero) out += "\nNothing from:\n" + zeros.text("  ");
  return out;
}

}  // namespace wend::driver
