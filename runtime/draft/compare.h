// DraftComparer: how near a drafted block comes to the oracle block, the one that its belief state renders to.
//
//   DraftReader drafts(shape), oracles(shape);
//   DraftComparer comparer(shape);
//   const DraftComparison& seen = comparer.compare(drafts.read(drafted), oracles.read(rendered));
//   seen.slots.f1();
//
// docs/drafts.md says what is compared with what. Linear in the size of the blocks, up to sorting.
#ifndef WEND_RUNTIME_DRAFT_COMPARE_H_
#define WEND_RUNTIME_DRAFT_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/data/columns.h"
#include "runtime/data/texts.h"
#include "runtime/data/values.h"
#include "runtime/draft/reader.h"

namespace wend {

// Of a kind of slot: how many the draft has, how many it should have, and how many it has as it should.
struct DraftCounts {
  uint32_t drafted = 0, expected = 0, right = 0;
  // None where there is nothing to divide by.
  std::optional<double> precision() const { return share(right, drafted); }
  std::optional<double> recall() const { return share(right, expected); }
  std::optional<double> f1() const { return share(2.0 * right, static_cast<double>(drafted) + expected); }

 private:
  static std::optional<double> share(double part, double whole) {
    return whole == 0 ? std::nullopt : std::optional(part / whole);
  }
};

struct SubBlockMatch {
  uint32_t sub_block;     // of the shape
  bool readable = false;  // JSON could be read from the draft's
  bool exact = false;     // and is canonically equal to the oracle's
  bool loose = false;     // or loosely equal
};

struct DraftComparison {
  std::vector<SubBlockMatch> sub_blocks;  // those that the oracle has, in the order of the shape
  DraftCounts slots, stale;
  bool goal = false, intent = false, relation = false;  // right
};

class DraftComparer {
 public:
  explicit DraftComparer(const DraftShape& shape);
  DraftComparer(const DraftComparer&) = delete;
  DraftComparer& operator=(const DraftComparer&) = delete;

  // Two drafts of the comparer's shape. Valid until the next call.
  const DraftComparison& compare(const Draft& draft, const Draft& oracle);

 private:
  // Rows of values_. A value of kNoValue was not given; kUnequal equals nothing.
  static constexpr uint32_t kNoValue = WEND_NONE, kUnequal = WEND_NONE - 1;
  struct Slot {
    uint32_t key, value;
    bool operator==(const Slot& other) const { return key == other.key; }
  };
  using Slots = std::vector<Slot>;

  const DraftSubBlock* readable(const Draft& draft, uint32_t sub_block) const;
  const DraftField* member(const Draft& draft, uint32_t sub_block, std::string_view name);
  bool has_key(const Draft& draft, const DraftSubBlock& s, const DraftField& field, std::string_view name);
  uint32_t value_of(std::string_view json);
  bool loosely_equal(uint32_t a, uint32_t b) const;
  bool same_member(const Draft& draft, const Draft& oracle, uint32_t sub_block, std::string_view name);
  void add_keys(const Draft& draft, uint32_t sub_block, std::string_view name, Slots& out);
  void add_arguments(const Draft& draft, Slots& out);
  void add_members(std::string_view json, Slots& out);
  static void keep_last(Slots& slots);
  void active(const Draft& draft, Slots& out);
  void stale(const Draft& draft, Slots& out);
  DraftCounts count(const Slots& drafted, const Slots& expected) const;
  void match_sub_blocks(const Draft& draft, const Draft& oracle);

  uint32_t size_, user_, task_, relation_, graph_, guide_;  // sub-blocks of the shape
  Columns columns_;
  TextTable texts_{columns_};
  ValueTable values_{columns_, texts_};
  JsonIndex index_;
  PaddedBuffer buffer_;
  Slots drafted_, expected_;
  DraftComparison result_;
};

}  // namespace wend

#endif  // WEND_RUNTIME_DRAFT_COMPARE_H_
