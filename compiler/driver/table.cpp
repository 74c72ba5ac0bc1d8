#include "compiler/driver/table.h"

#include <utf8proc.h>

#include <algorithm>

namespace wend::driver {

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size();) {
    utf8proc_int32_t code = -1;
    const utf8proc_ssize_t length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + i,
                                                     static_cast<utf8proc_ssize_t>(text.size() - i), &code);
    width += length > 0 ? static_cast<size_t>(std::max(0, utf8proc_charwidth(code))) : 1;
    i += length > 0 ? static_cast<size_t>(length) : 1;
  }
  return width;
}

std::string Table::text(std::string_view indent) const {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& cells : rows_) {
    // The last cell of a row may run on; it makes no column wider.
    for (size_t i = 0; i + 1 < cells.size() || (i < cells.size() && i < right_.size() && right_[i]); ++i) {
      if (widths.size() <= i) widths.resize(i + 1);
      widths[i] = std::max(widths[i], display_width(cells[i]));
    }
  }
  std::string out;
  for (const std::vector<std::string>& cells : rows_) {
    std::string line(indent);
    for (size_t i = 0; i < cells.size(); ++i) {
      const size_t width = display_width(cells[i]);
      const std::string space(i < widths.size() && widths[i] > width ? widths[i] - width : 0, ' ');
      const bool right = i < right_.size() && right_[i];
      if (i > 0) line += "  ";
      line += right ? space + cells[i] : cells[i] + space;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace wend::driver
