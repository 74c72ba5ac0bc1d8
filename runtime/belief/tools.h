// The inside of Tools: rows, recognition's view of them, and which names are tools.
#pragma once

#include <vector>

#include "runtime/belief/dialogue.h"
#include "runtime/belief/tables.h"

namespace wend::belief {

struct Tools::Impl {
  Tables tables;
  recognise::Toolset toolset;
  std::vector<uint32_t> tool_of_name;  // by row of `text`: the first tool of that name

  // By rows of `text` of these tables or of a dialogue that begins with them; WEND_NONE if there is none. Tools and
  // parameters are rows, and numbers of the toolset too.
  uint32_t find_tool(uint32_t name) const { return name < tool_of_name.size() ? tool_of_name[name] : WEND_NONE; }
  uint32_t find_param(uint32_t tool, uint32_t name) const {
    if (tool == WEND_NONE) return WEND_NONE;
    const wend_span params = tables.columns.tool_params[tool];
    for (uint32_t p = params.begin; p < params.end; ++p) {
      if (tables.columns.param_name[p] == name) return p;
    }
    return WEND_NONE;
  }
};

}  // namespace wend::belief
