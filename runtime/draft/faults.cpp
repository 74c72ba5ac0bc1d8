#include "runtime/draft/faults.h"

namespace wend {

std::string_view name(DraftFault fault) {
  static constexpr std::string_view kNames[] = {
#define WEND_DRAFT_FAULT(name, doc) #name,
#include "runtime/draft/faults.def"
  };
  return kNames[static_cast<unsigned>(fault)];
}

std::string_view describe(DraftFault fault) {
  static constexpr std::string_view kDocs[] = {
#define WEND_DRAFT_FAULT(name, doc) doc,
#include "runtime/draft/faults.def"
  };
  return kDocs[static_cast<unsigned>(fault)];
}

}  // namespace wend
