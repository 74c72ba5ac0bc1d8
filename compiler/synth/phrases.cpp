// The phrases of a program, for the writer.
#include <algorithm>
#include <charconv>

#include "compiler/synth/scenario.h"

namespace wend::synth {

using sema::Op;

Phrasebook phrasebook_of(const sema::Program& program, Diagnostics& diagnostics) {
  Phrasebook book;
  for (const sema::Phrases& phrases : program.phrases) {
    std::vector<Phrasebook::Variant> variants;
    for (const sema::Expr& e : phrases.variants) {
      Phrasebook::Variant variant;
      std::string text;
      for (size_t i = 0; i < e.text.size(); ++i) {
        const size_t end = e.op == Op::fill && e.text[i] == '{' ? e.text.find('}', i) : std::string::npos;
        if (end == std::string::npos) {
          text += e.text[i];
          continue;
        }
        size_t hole = 0;
        std::from_chars(e.text.data() + i + 1, e.text.data() + end, hole);
        const auto at = std::find_if(phrases.parameters.begin(), phrases.parameters.end(), [&](const auto& p) {
          return e.children[hole].op == Op::variable && e.children[hole].index == p.variable;
        });
        if (at == phrases.parameters.end()) {
          diagnostics.report(wend::Kind::misplaced_expression, e.children[hole].span,
                             "the writer's phrases have only their parameters in holes");
        } else {
          if (!text.empty()) variant.push_back({std::move(text), -1});
          text.clear();
          variant.push_back({"", static_cast<int>(at - phrases.parameters.begin())});
        }
        i = end;
      }
      if (!text.empty()) variant.push_back({std::move(text), -1});
      variants.push_back(std::move(variant));
    }
    book.add(phrases.name, std::move(variants));
  }
  return book;
}

}  // namespace wend::synth
