// Reading the JSON of a sub-block: strictly, or whatever can be made of it.
//
// Both readers go through the text once, without recursion, and note the members that lie on top: of the object itself,
// or of the objects in the list.
#ifndef WEND_RUNTIME_DRAFT_JSON_SCAN_H_
#define WEND_RUNTIME_DRAFT_JSON_SCAN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/draft/faults.h"
#include "runtime/include/wend/wend.h"

namespace wend {

// A member of the JSON of a sub-block, or an item of its list that is no object.
struct DraftField {
  uint32_t item = WEND_NONE;  // position in the list, WEND_NONE: of the object itself
  wend_span key{};            // bytes of the text, quotes included; empty: an item
  wend_span value{};
  // The same as JSON: bytes of the text, or of what was repaired.
  wend_span json_key{}, json_value{};
};

// Bytes of the escape whose backslash stands before `text`; 0: it is none. Half of a surrogate pair is no character,
// and so no escape.
size_t json_escape_size(std::string_view text);

// Reads one object or list that begins at text[from], by the rules of JSON (RFC 8259) and kMaxJsonDepth. True if there
// is one; `end` is then behind it. Appends to `fields` even if there is none.
bool scan_json(std::string_view text, uint32_t from, uint32_t& end, std::vector<DraftField>& fields);

// Makes JSON of what begins at text[from] with { or [ (docs/drafts.md says how), and says what was wrong with it.
class JsonRepair {
 public:
  struct Result {
    uint32_t end = 0;        // behind what was read
    bool truncated = false;  // it never ended: read up to the end of the text
    bool too_deep = false;   // it nests too deep: nothing was made
    DraftFaults faults;
    uint32_t where[kDraftFaults];  // of each fault
  };
  // Appends JSON to `out`, and to `fields` with places in `out`.
  void run(std::string_view text, uint32_t from, std::string& out, std::vector<DraftField>& fields, Result& result);

 private:
  void note(DraftFault fault);
  void skip_white();
  void enter(char open);
  void leave();
  void bracket(char closing);
  void item();
  bool member();
  void value();
  void string();
  void escape();
  bool ends_string() const;
  std::string_view bare_text(bool key);
  void bare_value();
  void put_string(std::string_view text);
  void put_char(char c);
  bool in_object() const { return open_.back() == '}'; }
  bool on_top() const { return open_.size() == 1 || (open_.size() == 2 && list_ && in_object()); }
  void begin_key();
  void end_key();
  void begin_value();
  void end_value();

  std::string_view text_;
  uint32_t at_ = 0;
  std::string* out_ = nullptr;
  std::vector<DraftField>* fields_ = nullptr;
  Result* result_ = nullptr;
  std::vector<char> open_;    // the closing brackets of what is open
  size_t objects_ = 0;        // of open_
  bool after_value_ = false;  // a comma or the end should come
  bool after_comma_ = false;  // another item should come
  bool fresh_ = false;        // nothing was written into the container in hand
  bool list_ = false;         // the outermost is a list
  uint32_t item_ = 0;         // of the outermost list
  size_t first_field_ = 0;
};

}  // namespace wend

#endif  // WEND_RUNTIME_DRAFT_JSON_SCAN_H_
