// For errors about a name that is not there: the name that was meant.
#ifndef WEND_RUNTIME_SUGGESTION_H_
#define WEND_RUNTIME_SUGGESTION_H_

#include <string>
#include <string_view>
#include <vector>

namespace wend {

// " (did you mean `alpha`?)", or "" where no name is near.
std::string suggestion(std::string_view given, const std::vector<std::string_view>& names);

}  // namespace wend

#endif  // WEND_RUNTIME_SUGGESTION_H_
