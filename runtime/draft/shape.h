// DraftShape: which sub-blocks a drafted block should have, and how its tags are recognised.
//
// Names are compared without regard to case, `_` and `-`: <context-manager> opens a Context_Manager.
#ifndef WEND_RUNTIME_DRAFT_SHAPE_H_
#define WEND_RUNTIME_DRAFT_SHAPE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/include/wend/wend.h"
#include "runtime/program.h"

namespace wend {

// What a tag names: a sub-block by its place in the render, or one of these.
inline constexpr uint32_t kTheBlock = 0xFFFFFFFEu, kUnknownTag = 0xFFFFFFFFu;

class DraftShape {
 public:
  DraftShape(std::string block, std::vector<std::string> sub_blocks);
  // The sub-blocks of a render. `block`: the name in its outer tags, if that is not the render's.
  static DraftShape of(const RenderInfo& render, std::string block = {});
  // The block of the paper, with its nine sub-blocks.
  static const DraftShape& context_manager();

  uint32_t size() const { return static_cast<uint32_t>(sub_blocks_.size()); }
  const std::string& block() const { return block_; }
  const std::string& sub_block(uint32_t i) const { return sub_blocks_[i]; }
  const std::string& name(uint32_t tag) const { return tag == kTheBlock ? block_ : sub_blocks_[tag]; }

  // A sub-block, kTheBlock or kUnknownTag.
  uint32_t find(std::string_view name) const;

 private:
  struct Known {
    std::string folded;
    uint32_t tag;
  };
  std::string block_;
  std::vector<std::string> sub_blocks_;
  std::vector<Known> known_;
};

struct DraftTag {
  wend_span at{};
  uint32_t names = kUnknownTag;
  bool closes = false;      // </NAME>
  bool empty = false;       // <NAME/>
  bool attributes = false;  // <NAME x="1">
  bool misspelled = false;  // another case, other separators, white space
  std::string_view name;    // as written
};

// The next tag in text[from, end), whatever it names; false if there is none.
bool next_tag(const DraftShape& shape, std::string_view text, uint32_t from, DraftTag& tag);

// Names as tags compare them.
bool same_tag_name(std::string_view a, std::string_view b);

}  // namespace wend

#endif  // WEND_RUNTIME_DRAFT_SHAPE_H_
