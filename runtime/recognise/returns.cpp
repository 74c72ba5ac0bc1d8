#include "runtime/recognise/returns.h"

#include <algorithm>
#include <charconv>

#include "runtime/recognise/names.h"
#include "runtime/recognise/scratch.h"

namespace wend::recognise {
namespace {

using Event = JsonScanner::Event;

constexpr size_t kMaxShort = 40;  // bytes of a type or status

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

bool same_folded(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || (c >= 9 && c <= 13); };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

// Does the key end with this word, as a word of its own? order_id, orderId, id
bool ends_with_word(std::string_view key, std::string_view word) {
  if (key.size() < word.size() || !same_folded(key.substr(key.size() - word.size()), word)) return false;
  if (key.size() == word.size()) return true;
  const char before = key[key.size() - word.size() - 1], first = key[key.size() - word.size()];
  const bool upper = first >= 'A' && first <= 'Z', before_upper = before >= 'A' && before <= 'Z';
  return !letter(before) || (upper && !before_upper);
}

bool empty_scalar(std::string_view json) { return json == "null" || json == "false" || json == "\"\"" || json == "0"; }

int64_t integer(std::string_view json) {
  int64_t value = -1;
  const auto read = std::from_chars(json.data(), json.data() + json.size(), value);
  return read.ec == std::errc() && read.ptr == json.data() + json.size() ? value : -1;
}

bool error_key(std::string_view key) {
  return same_folded(key, "error") || same_folded(key, "errors") || same_folded(key, "exception");
}

// Does an attribute of the return itself say that it is an error?
bool says_error(std::string_view key, std::string_view json) {
  if (error_key(key)) return !empty_scalar(json);
  if (same_folded(key, "success") || same_folded(key, "ok")) return json == "false";
  if (same_folded(key, "isError") || same_folded(key, "is_error")) return json == "true";
  const bool status = same_folded(key, "status");
  std::string_view text;
  if (status && string_text(json, text)) {
    for (std::string_view word : {"error", "failed", "failure", "fail"}) {
      if (same_folded(text, word)) return true;
    }
  }
  if (!status && !same_folded(key, "code") && !same_folded(key, "status_code") && !same_folded(key, "statusCode")) {
    return false;
  }
  const int64_t number = integer(json);
  return number >= 400 && number <= 599;
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

bool http_error_number(std::string_view text) {
  return text.size() >= 3 && (text[0] == '4' || text[0] == '5') && digit(text[1]) && digit(text[2]) &&
         (text.size() == 3 || (!letter(text[3]) && !digit(text[3])));
}

bool text_error(std::string_view text) {
  text = trimmed(text);
  size_t word = 0;
  while (word < text.size() && (letter(text[word]) || text[word] == '_' || text[word] == '.')) ++word;
  const std::string_view first = text.substr(0, word);
  const bool colon = word < text.size() && text[word] == ':';
  if (colon && (ends_with_word(first, "error") || ends_with_word(first, "exception"))) return true;
  for (std::string_view known : {"error", "exception", "traceback", "failed", "failure", "fatal"}) {
    if (same_folded(first, known) && (colon || word == text.size())) return true;
  }
  if (same_folded(text.substr(0, 9), "traceback")) return true;
  if (same_folded(text.substr(0, 4), "http")) {
    text.remove_prefix(4);
    if (text.starts_with('/')) {
      while (!text.empty() && text.front() != ' ') text.remove_prefix(1);
    }
    return http_error_number(trimmed(text));
  }
  return http_error_number(text) && (text.size() == 3 || (text.size() > 4 && text[3] == ' ' && letter(text[4])));
}

// ---- Types of objects
// -------------------------------------------------------------------------------------------------

// The words of a tool's name that tell what it is about, joined by `_`; its name if there are none.
void append_type(std::string_view tool, std::string& word, std::string& out) {
  word.clear();
  bool first = true, over = false;
  auto end_word = [&] {
    if (word.empty()) return;
    const Word known = lookup(word_key(word), word);
    over |= !first && (word == "by" || word == "for" || word == "from");
    const bool verb = first && has(known, kToolVerb);
    if (!over && !verb) {
      if (!out.empty()) out.push_back('_');
      out.append(word);
    }
    first = false;
    word.clear();
  };
  for (size_t i = 0; i < tool.size(); ++i) {
    const char c = tool[i];
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && i > 0 && !(tool[i - 1] >= 'A' && tool[i - 1] <= 'Z')) end_word();
    if (letter(c) || digit(c) || static_cast<unsigned char>(c) >= 0x80) {
      word.push_back(lower(c));
    } else {
      end_word();
    }
  }
  end_word();
  for (;;) {
    const size_t at = out.rfind('_');
    const std::string_view last = std::string_view(out).substr(at == std::string::npos ? 0 : at + 1);
    if (last.empty() || !has(lookup(word_key(last), last), kToolTail)) break;
    out.resize(at == std::string::npos ? 0 : at);
  }
  if (out.empty()) out.append(tool);
}

// ---- One pass over a return
// ---------------------------------------------------------------------------------------------

class Reader {
 public:
  Reader(std::string_view text, ReturnInfo& info, std::vector<Leaf>& leaves)
      : scanner_(text), text_(text), info_(info), leaves_(leaves) {}

  // False if the text is no JSON.
  bool read() {
    for (;;) {
      const Event event = scanner_.next();
      switch (event) {
        case Event::broken:
          return false;
        case Event::done:
          return true;
        case Event::key:
          key();
          break;
        case Event::scalar:
          scalar();
          break;
        case Event::begin_object:
        case Event::begin_list:
          begin(event == Event::begin_object);
          break;
        case Event::end_object:
        case Event::end_list:
          end();
          break;
      }
      after_begin_ = event == Event::begin_object || event == Event::begin_list;
    }
  }
  bool empty() const { return empty_; }

 private:
  static constexpr uint32_t kNamed = 16;  // levels whose attributes are known

  void key() {
    if (scanner_.depth() <= kNamed) keys_[scanner_.depth() - 1] = scanner_.text();
  }

  void begin(bool object) {
    const uint32_t depth = scanner_.depth();
    if (depth == 1) info_.type = object ? WEND_JSON_OBJECT : WEND_JSON_LIST;
    // Elements of a list belong to the attribute that the list is of.
    if (depth <= kNamed) keys_[depth - 1] = depth > 1 ? keys_[depth - 2] : std::string_view();
    if (depth == 1) empty_ = true;
    if (depth == 2) empty_ = false;
  }

  void end() {
    // A list or object that is not empty, of an attribute that tells of errors.
    if (scanner_.depth() == 1 && info_.type == WEND_JSON_OBJECT && !after_begin_ && error_key(keys_[0])) {
      info_.error = true;
    }
  }

  void scalar() {
    const std::string_view json = scanner_.text();
    const uint32_t depth = scanner_.depth();
    if (depth == 0) {
      info_.type = json.front() == '"'                                   ? WEND_JSON_TEXT
                   : json == "null"                                      ? WEND_JSON_NULL
                   : json == "true" || json == "false"                   ? WEND_JSON_BOOL
                   : json.find_first_of(".eE") == std::string_view::npos ? WEND_JSON_INT
                                                                         : WEND_JSON_REAL;
      empty_ = json == "null" || json == "\"\"";
    }
    if (depth > 0) empty_ = false;
    const std::string_view attribute = depth == 0 ? std::string_view() : keys_[std::min(depth, kNamed) - 1];
    if (leaves_.size() < kMaxLeaves && json != "null") leaves_.push_back({attribute, json});
    if (depth == 1 && info_.type == WEND_JSON_OBJECT) top_attribute(attribute, json);
  }

  void top_attribute(std::string_view key, std::string_view json) {
    info_.error |= says_error(key, json);
    std::string_view text;
    if (!string_text(json, text) || text.empty() || text.size() > kMaxShort) return;
    if (same_folded(key, "status") || (same_folded(key, "state") && info_.status.empty())) info_.status = text;
    if (same_folded(key, "type") || (same_folded(key, "object") && info_.object_type.empty())) info_.object_type = text;
  }

  JsonScanner scanner_;
  std::string_view text_;
  ReturnInfo& info_;
  std::vector<Leaf>& leaves_;
  std::string_view keys_[kNamed];
  bool after_begin_ = false, empty_ = false;
};

}  // namespace

uint32_t id_rank(std::string_view key) {
  if (same_folded(key, "id")) return 0;
  if (ends_with_word(key, "id")) return 1;
  if (same_folded(key, "code")) return 2;
  if (same_folded(key, "number")) return 3;
  if (ends_with_word(key, "code") || ends_with_word(key, "number")) return 4;
  if (same_folded(key, "name")) return 5;
  return same_folded(key, "title") ? 6 : kNoRank;
}

bool string_text(std::string_view json, std::string_view& text) {
  if (json.size() < 2 || json.front() != '"') return false;
  text = json.substr(1, json.size() - 2);
  return text.find('\\') == std::string_view::npos;
}

std::string_view value_of(std::string_view json) {
  json = trimmed(json);
  if (json.empty() || json.front() == '[') return {};
  if (json.front() != '{') return json.size() <= kMaxValue ? json : std::string_view();
  JsonScanner scanner(json);
  std::string_view key, best;
  uint32_t best_rank = kNoRank;
  for (;;) {
    const Event event = scanner.next();
    if (event == Event::broken || event == Event::done) break;
    if (scanner.depth() != 1) continue;
    if (event == Event::key) key = scanner.text();
    if (event != Event::scalar || scanner.text() == "null" || scanner.text() == "\"\"") continue;
    const uint32_t rank = id_rank(key);
    if (rank >= best_rank || scanner.text().size() > kMaxValue) continue;
    best = scanner.text();
    best_rank = rank;
  }
  if (best_rank < kNoRank) return best;
  return json.size() <= kMaxValue ? json : std::string_view();
}

bool list_items(std::string_view json, std::vector<std::string_view>& items) {
  items.clear();
  JsonScanner scanner(json);
  Event event = scanner.next();
  const bool object = event == Event::begin_object;
  if (!object && event != Event::begin_list) return false;
  const uint32_t level = object ? 2 : 1;  // of the list: containers open inside it
  size_t begin = 0, lists = 0;
  bool in_list = !object, of_objects = true;
  for (;;) {
    event = scanner.next();
    if (event == Event::broken) return false;
    if (event == Event::done) break;
    const uint32_t depth = scanner.depth();
    const bool starts = event == Event::begin_object || event == Event::begin_list;
    if (object && depth == 2 && event == Event::begin_list) {
      in_list = true;
      if (++lists > 1) return false;
    } else if (object && depth == 1 && !starts && event != Event::key && event != Event::scalar) {
      in_list = false;
    } else if (in_list) {
      if (event == Event::scalar && depth == level) {
        of_objects = false;
        if (items.size() < kMaxItems) items.push_back(scanner.text());
      } else if (starts && depth == level + 1) {
        begin = scanner.begin();
        of_objects &= event == Event::begin_object;
      } else if ((event == Event::end_object || event == Event::end_list) && depth == level) {
        if (items.size() < kMaxItems) items.push_back(json.substr(begin, scanner.end() - begin));
      }
    }
  }
  return object ? lists == 1 && of_objects && !items.empty() : true;
}

bool bare_id(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('#')) text.remove_prefix(1);
  if (text.size() < 3 || text.size() > 64) return false;
  bool digits = false, letters = false, joint = true;
  for (const char c : text) {
    if (c == '-' || c == '_') {
      if (joint) return false;
      joint = true;
      continue;
    }
    if (!digit(c) && !letter(c)) return false;
    digits |= digit(c);
    letters |= letter(c);
    joint = false;
  }
  return !joint && digits && (letters || text.size() >= 5);
}

ReturnInfo read_result(std::string_view text, std::string_view tool, Scratch& scratch) {
  ReturnWork& work = scratch.state().returned;
  work.leaves.clear();
  work.type.clear();
  work.id.clear();
  ReturnInfo info;
  Reader reader(text, info, work.leaves);
  info.json = reader.read();
  bool empty = reader.empty();
  if (info.json) {
    std::string_view inner;
    if (info.type == WEND_JSON_TEXT && string_text(trimmed(text), inner)) info.error = text_error(inner);
    if (info.type != WEND_JSON_LIST) info.id = value_of(text);
    if (info.type == WEND_JSON_NULL || info.type == WEND_JSON_BOOL) info.id = {};
  } else {
    work.leaves.clear();
    info = {};
    info.error = text_error(text);
    empty = trimmed(text).empty();
    if (bare_id(text)) {
      work.id.assign(1, '"').append(trimmed(text)).push_back('"');
      info.id = work.id;
      work.leaves.push_back({std::string_view(), info.id});
    }
  }
  if (info.object_type.empty()) {
    append_type(tool, work.word, work.type);
    info.object_type = work.type;
  }
  if (info.status.empty()) info.status = info.error ? "error" : empty ? "empty" : "ok";
  info.leaves = work.leaves;
  return info;
}

}  // namespace wend::recognise
