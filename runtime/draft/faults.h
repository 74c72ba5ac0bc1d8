// DraftFault: what can be wrong with a drafted block, and sets of faults.
#ifndef WEND_RUNTIME_DRAFT_FAULTS_H_
#define WEND_RUNTIME_DRAFT_FAULTS_H_

#include <cstdint>
#include <string_view>

namespace wend {

enum class DraftFault : uint8_t {
#define WEND_DRAFT_FAULT(name, doc) name,
#include "runtime/draft/faults.def"
};

inline constexpr unsigned kDraftFaults = 0
#define WEND_DRAFT_FAULT(name, doc) +1
#include "runtime/draft/faults.def"
    ;
static_assert(kDraftFaults <= 64);

std::string_view name(DraftFault fault);      // "single_quotes"
std::string_view describe(DraftFault fault);  // "a string stands in single quotes"

class DraftFaults {
 public:
  bool has(DraftFault fault) const { return (bits_ & bit(fault)) != 0; }
  // Whether it is new.
  bool add(DraftFault fault) {
    const bool is_new = !has(fault);
    bits_ |= bit(fault);
    return is_new;
  }
  bool empty() const { return bits_ == 0; }
  uint64_t bits() const { return bits_; }

 private:
  static uint64_t bit(DraftFault fault) { return uint64_t{1} << static_cast<unsigned>(fault); }
  uint64_t bits_ = 0;
};

}  // namespace wend

#endif  // WEND_RUNTIME_DRAFT_FAULTS_H_
