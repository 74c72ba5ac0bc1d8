// DraftReader: reads the Context Manager block that a policy wrote. Nothing that it wrote is trusted: whatever can be
// read is, what is wrong is listed, and any text at all is read in time linear in its size.
//
//   DraftReader reader(DraftShape::context_manager());
//   const Draft& draft = reader.read(text);
//   if (draft.sub_block(0).readable()) use(draft.json(draft.sub_block(0)));
//   for (const DraftIssue& issue : draft.issues) report(describe(issue.fault), issue.at);
//
// docs/drafts.md says what is accepted. All spans are bytes of the text.
#ifndef WEND_RUNTIME_DRAFT_READER_H_
#define WEND_RUNTIME_DRAFT_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/draft/faults.h"
#include "runtime/draft/json_scan.h"
#include "runtime/draft/shape.h"

namespace wend {

enum class DraftState : uint8_t {
  missing,
  unreadable,  // no JSON could be made of it
  repaired,    // JSON was made of it
  valid        // it holds JSON
};

struct DraftSubBlock {
  DraftState state = DraftState::missing;
  DraftFaults faults;
  wend_span whole{};   // with its tags
  wend_span json{};    // the JSON, or what stands in its place
  wend_span made{};    // repaired: bytes of Draft::repaired
  wend_span fields{};  // of Draft::fields
  bool readable() const { return state >= DraftState::repaired; }
};

inline constexpr uint32_t kNoSubBlock = WEND_NONE;

struct DraftIssue {
  DraftFault fault;
  uint32_t sub_block;  // kNoSubBlock: the block's
  wend_span at;        // the first place
};

struct Draft {
  std::string_view text;
  bool found = false;                     // there is a block, or a sub-block of one
  bool closed = false;                    // it has its closing tag
  wend_span block{};                      // with its tags
  wend_span trailing{};                   // what stands behind it, without white space around
  DraftFaults faults;                     // of the block
  std::vector<DraftSubBlock> sub_blocks;  // as in the shape
  std::vector<DraftField> fields;
  std::vector<DraftIssue> issues;  // each fault once for the block and for each sub-block
  std::string repaired;

  const DraftSubBlock& sub_block(uint32_t i) const { return sub_blocks[i]; }
  std::string_view bytes(wend_span span) const { return text.substr(span.begin, span.end - span.begin); }
  // The JSON of a readable sub-block.
  std::string_view json(const DraftSubBlock& s) const {
    return s.state == DraftState::repaired ? within(repaired, s.made) : bytes(s.json);
  }
  // A member's key, without its quotes but still escaped, and the JSON of its value.
  std::string_view key(const DraftSubBlock& s, const DraftField& field) const {
    const std::string_view quoted = within(source(s), field.json_key);
    return quoted.empty() ? quoted : quoted.substr(1, quoted.size() - 2);
  }
  std::string_view value(const DraftSubBlock& s, const DraftField& field) const {
    return within(source(s), field.json_value);
  }
  // The last member `name` of item `item` of a sub-block; nullptr if there is none.
  const DraftField* find(const DraftSubBlock& s, std::string_view name, uint32_t item = WEND_NONE) const;

 private:
  static std::string_view within(std::string_view text, wend_span span) {
    return text.substr(span.begin, span.end - span.begin);
  }
  std::string_view source(const DraftSubBlock& s) const {
    return s.state == DraftState::repaired ? std::string_view(repaired) : text;
  }
};

inline constexpr uint32_t kMaxDraftSize = 0xFFFFFF00u;

class DraftReader {
 public:
  // Of longer texts only the first `max_size` bytes are read.
  explicit DraftReader(DraftShape shape, uint32_t max_size = kMaxDraftSize)
      : shape_(std::move(shape)), max_size_(max_size) {}
  const DraftShape& shape() const { return shape_; }

  // What was read, valid until the next call; `text` must stay as long (bytes that are no UTF-8 are read as `?`).
  // `continues`: the text goes on behind an opening tag of the block that it does not have.
  const Draft& read(std::string_view text, bool continues = false);

 private:
  // What stood at the block's level since its last known tag: part of the block only if another one follows.
  struct Between {
    bool text = false, unknown = false, stray = false;
    bool inside = false;  // text in an unknown tag that is still open
    wend_span text_at{}, unknown_at{}, stray_at{}, inside_at{};
  };

  void clear(std::string_view text);
  bool begin_block(bool continues);
  void read_block();
  bool expected_tag(DraftTag& tag) const;
  void other_tag(const DraftTag& tag);
  void text_until(uint32_t end);
  void commit_between();
  void read_trailing();
  void read_sub_block(const DraftTag& open);
  void read_content(const DraftTag& open, DraftSubBlock& out);
  void read_valid(const DraftTag& open, DraftSubBlock& out, wend_span json);
  bool read_any(DraftSubBlock& out, wend_span content);
  void repair(DraftSubBlock& out, uint32_t from, uint32_t end);
  void surroundings(DraftSubBlock& out, wend_span content, bool closed);
  void close(const DraftTag& open, const DraftTag& closing, DraftSubBlock& out);
  bool closing_tag(uint32_t sub_block, uint32_t from, DraftTag& tag) const;
  bool known_tag(uint32_t from, DraftTag& tag) const;
  void note(DraftFault fault, wend_span at);
  void note(DraftFault fault, DraftSubBlock& sub_block, wend_span at);
  void note_spelling(const DraftTag& tag, DraftSubBlock* sub_block);
  uint32_t skip_white(uint32_t at) const;
  wend_span trimmed(uint32_t begin, uint32_t end) const;
  std::string_view bytes(wend_span span) const { return draft_.bytes(span); }
  uint32_t size() const { return static_cast<uint32_t>(draft_.text.size()); }

  DraftShape shape_;
  uint32_t max_size_;
  Draft draft_;
  JsonRepair repair_;
  JsonRepair::Result repaired_;
  std::string text_;  // with what is no UTF-8 replaced
  // Where reading stands: the next byte, the end of the last known tag, how many sub-blocks may not come any more, the
  // sub-block in hand.
  uint32_t at_ = 0, known_end_ = 0, furthest_ = 0, current_ = 0;
  Between between_;
  std::string_view unknown_;  // name of the unknown tag that is open, empty: none
  uint32_t text_from_ = 0;    // where text outside tags begins
};

}  // namespace wend

#endif  // WEND_RUNTIME_DRAFT_READER_H_
