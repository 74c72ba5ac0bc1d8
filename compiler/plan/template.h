// Texts with holes as sema leaves them: "Set {0} for {1}".
#ifndef WEND_COMPILER_PLAN_TEMPLATE_H_
#define WEND_COMPILER_PLAN_TEMPLATE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace wend::plan {

struct TemplatePart {
  std::string text;
  int64_t hole = -1;  // its number; else a text
};

// Holes come in order, so that braces of the text itself are not taken for one.
std::vector<TemplatePart> parts_of(const std::string& form, size_t holes);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_TEMPLATE_H_
