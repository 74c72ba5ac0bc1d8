// Columns of text, as wide as they need to be.
#ifndef WEND_COMPILER_DRIVER_TABLE_H_
#define WEND_COMPILER_DRIVER_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

namespace wend::driver {

// Columns a terminal gives a text.
size_t display_width(std::string_view text);

class Table {
 public:
  // Which columns are set to the right; further ones to the left.
  explicit Table(std::vector<bool> right) : right_(std::move(right)) {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Two spaces between columns, none at line ends.
  std::string text(std::string_view indent = "") const;

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_TABLE_H_
