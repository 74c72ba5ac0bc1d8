#include "compiler/plan/template.h"

namespace wend::plan {

std::vector<TemplatePart> parts_of(const std::string& form, size_t holes) {
  std::vector<TemplatePart> parts;
  size_t begin = 0;
  for (size_t i = 0; i < holes; ++i) {
    const std::string mark = "{" + std::to_string(i) + "}";
    const size_t at = form.find(mark, begin);
    if (at == std::string::npos) break;
    if (at > begin) parts.push_back({form.substr(begin, at - begin)});
    parts.push_back({"", static_cast<int64_t>(i)});
    begin = at + mark.size();
  }
  if (begin < form.size()) parts.push_back({form.substr(begin)});
  return parts;
}

}  // namespace wend::plan
