// Recognition: what a user's words, a tool's return and a reply say (docs/recognition.md has the exact rules).
//
//   Cues cues = Cues::compile(program.info().cues);              // once per program
//   Toolset tools = Toolset::compile(*batch.view(), pool);       // once per pool; immutable, shared by dialogues
//   Scratch scratch;                                             // per thread; keeps its memory
//
//   scratch.read(message);                                       // once per message; `message` must outlive its use
//   Classification c = classify(cues, 0, params, scratch);
//   for (const Mention& m : mentioned(tools, context, scratch)) set(tools.param(m.param), m.value);
//   for (const Reference& r : resolved(objects, scratch)) refer(r.phrase, r.value);
//
// What a function returns is valid until the same function is called again or the scratch reads another message.
// Nothing allocates once the scratch has grown to the longest message. Texts are UTF-8 in NFC.
#ifndef WEND_RUNTIME_RECOGNISE_RECOGNISE_H_
#define WEND_RUNTIME_RECOGNISE_RECOGNISE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/include/wend/wend.h"
#include "runtime/program.h"

namespace wend::recognise {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

// ---- A message, read once ---------------------------------------------------------------------------------------

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) noexcept;

  void read(std::string_view message);
  std::string_view message() const;

  struct State;  // scratch.h
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// ---- Cues -------------------------------------------------------------------------------------------------------

// All phrases of a program in one automaton over words.
class Cues {
 public:
  static Cues compile(std::span<const CuesInfo> tables);
  Cues();
  ~Cues();
  Cues(Cues&&) noexcept;
  Cues& operator=(Cues&&) noexcept;

  struct State;  // cues.cpp
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

struct Classification {
  uint32_t label = 0;
  double confidence = 0;
};

// `table` is the index of the CuesInfo; `params` are the program's, for weights that are params.
Classification classify(const Cues& cues, uint32_t table, std::span<const double> params, Scratch& scratch);

// ---- Values for parameters --------------------------------------------------------------------------------------

struct ParamSchema {
  std::string name;
  uint8_t type = WEND_JSON_ANY;      // WEND_JSON_*
  std::vector<std::string> choices;  // JSON values
};
struct ToolSchema {
  std::string name;
  std::vector<ParamSchema> params;
};

class Toolset {
 public:
  static Toolset compile(std::span<const ToolSchema> tools);
  // The tools of a batch's pool (a span of `tool` rows). Tools and parameters are numbered in their order there: the
  // i-th tool of the span is tool i; parameters are counted over all tools.
  static Toolset compile(const wend_batch& batch, wend_span pool);
  Toolset();
  ~Toolset();
  Toolset(Toolset&&) noexcept;
  Toolset& operator=(Toolset&&) noexcept;

  uint32_t n_tools() const;
  uint32_t n_params() const;
  std::string_view tool_name(uint32_t tool) const;
  std::string_view param_name(uint32_t param) const;
  uint32_t tool_of(uint32_t param) const;
  // kNone if there is none. find_param: the parameter of that tool.
  uint32_t find_tool(std::string_view name) const;
  uint32_t find_param(uint32_t tool, std::string_view name) const;

  struct State;  // toolset.h
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// The stems of a name's last words, as keys.
struct NameKeys {
  uint64_t keys[4] = {};
  uint8_t size = 0;
};

// The values that tool returns have brought up: the newest 128 (kMaxSeen), each once. A part of a dialogue's state.
class SeenValues {
 public:
  static constexpr size_t kMaxSeen = 128;
  static constexpr size_t kMaxName = 40, kMaxText = 64;  // bytes

  struct Entry {
    char attribute[kMaxName];
    char text[kMaxText];  // a string's own text, an integer's digits
    uint8_t attribute_size, text_size;
    bool integer;
    uint8_t next;  // entry of the same bucket + 1; 0: none
    uint32_t age;  // greater: newer
    uint64_t first_key;
    NameKeys name;
    std::string_view attribute_view() const { return {attribute, attribute_size}; }
    std::string_view text_view() const { return {text, text_size}; }
  };

  // A leaf of a return: its attribute and its JSON (a string or an integer). Others are passed over.
  void add(std::string_view attribute, std::string_view json);
  void clear();
  size_t size() const { return entries_.size(); }
  const Entry& entry(size_t i) const { return entries_[i]; }
  // For snapshots: entry numbers, oldest first. Giving their values to add() in this order makes an equal set.
  std::vector<uint32_t> by_age() const;
  // The JSON of an entry's value.
  static std::string json(const Entry& entry);

  // Entries whose first word may have this key: their numbers, kNone at the end.
  uint32_t first(uint64_t key) const { return number(heads_[bucket(key)]); }
  uint32_t next(uint32_t entry) const { return number(entries_[entry].next); }

 private:
  static size_t bucket(uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 56; }
  static uint32_t number(uint8_t link) { return link == 0 ? kNone : link - 1u; }
  uint32_t find(std::string_view attribute, std::string_view text, bool integer, uint64_t key) const;
  uint32_t make_room();

  std::vector<Entry> entries_;
  std::array<uint8_t, 256> heads_{};
  uint32_t clock_ = 0;
};

// A parameter's value as it is now.
struct KnownSlot {
  uint32_t param = kNone;  // of the Toolset
  std::string_view value;  // JSON
};

struct Date {
  int year = 0, month = 0, day = 0;
};

struct MentionContext {
  uint32_t tool = kNone;             // `mentioned(text, action)`: only this tool's parameters
  std::span<const KnownSlot> slots;  // of any tool
  std::span<const uint32_t> asked;   // parameters that the last reply asked for
  const SeenValues* seen = nullptr;
  std::optional<Date> today;
};

struct Mention {
  uint32_t param = kNone;       // of the Toolset
  std::string_view value;       // JSON of the declared type
  uint32_t begin = 0, end = 0;  // where in the message, in bytes
  bool offer = false;           // of a reply: who agrees to it takes this value
};

std::span<const Mention> mentioned(const Toolset& tools, const MentionContext& context, Scratch& scratch);

// Does the message agree to what the last reply said? Then it sets what mentioned() finds in the reply and marks
// `offer`.
bool agrees(Scratch& scratch);

// A time as HH:MM.
inline bool is_clock(std::string_view text) {
  const auto digit = [&](size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  return text.size() == 5 && text[2] == ':' && digit(0) && digit(1) && digit(3) && digit(4) && text[0] <= '2' &&
         (text[0] < '2' || text[1] < '4') && text[3] < '6';
}

// Are two texts one date or one time in two forms? What only one of them says (the year) does not count. The message
// stays.
bool same_moment(std::string_view a, std::string_view b, Scratch& scratch);

// ---- What "the second one" stands for ---------------------------------------------------------------------------

// An object that a result has brought up.
struct ObjectView {
  std::string_view type;       // "order"
  std::string_view result;     // the return's text
  std::string_view arguments;  // JSON object that the call was made with, or empty
};

struct Reference {
  std::string_view phrase;  // as said: part of the message
  std::string_view value;   // JSON
};

// `objects`: newest last.
inline constexpr uint32_t kObjectsRead = 8;                 // the newest ones alone are read
inline constexpr size_t kMaxReadAgain = size_t{64} * 1024;  // bytes of a result; longer ones are not read
std::span<const Reference> resolved(std::span<const ObjectView> objects, Scratch& scratch);

// ---- Tool returns -----------------------------------------------------------------------------------------------

struct Leaf {
  std::string_view attribute;  // empty at the top
  std::string_view json;       // of the return's text
};

struct ReturnInfo {
  bool json = false;
  bool error = false;
  uint8_t type = WEND_JSON_TEXT;  // WEND_JSON_*; text if it is no JSON
  std::string_view object_type;   // "order"
  std::string_view status;        // "pending", "ok", "error", "empty"
  std::string_view id;            // JSON of its id-like value; empty: none
  std::span<const Leaf> leaves;   // for SeenValues::add
};

// Does not touch the message that was read. Views point into `text`, `tool` or the scratch, until the next call.
ReturnInfo read_result(std::string_view text, std::string_view tool, Scratch& scratch);

// ---- Replies ----------------------------------------------------------------------------------------------------

struct Missing {
  uint32_t param = kNone;  // of the Toolset
  bool tool_known = true;  // false: its name alone is certain
};
struct ReplyInfo {
  bool asks = false;
  std::span<const Missing> missing;
};

// Reads `text` into the scratch in place of the message. `context.slots` are not asked for again.
ReplyInfo read_reply(std::string_view text, const Toolset& tools, const MentionContext& context, Scratch& scratch);

}  // namespace wend::recognise

#endif  // WEND_RUNTIME_RECOGNISE_RECOGNISE_H_
