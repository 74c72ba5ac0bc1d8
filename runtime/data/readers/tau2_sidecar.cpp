#include <algorithm>
#include <string>

#include "runtime/data/byte_source.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/kernels.h"
#include "runtime/data/readers/messages.h"
#include "runtime/data/readers/tau2.h"

namespace wend {
namespace {

// Walks the fields of the object that a file is, keeping the text of one of them.
class TopLevel {
 public:
  explicit TopLevel(ByteSource source) : source_(std::move(source)), buffer_(std::make_unique<char[]>(kBuffer)) {}

  // Fills `tasks` with the JSON of that key and `start` with the place of `simulations`; false if the text ends or
  // makes no sense before simulations were seen.
  bool Run(std::string& tasks, size_t& start) {
    bool seen = false;
    if (peek() != '{') return false;
    ++at_;
    for (int c = peek(); c == '"' || c == ','; c = peek()) {
      if (c == ',') {
        ++at_;
        continue;
      }
      std::string key;
      if (!scalar(&key) || peek() != ':') break;
      ++at_;
      if (key == "\"simulations\"" && peek() == '[') {
        start = before_ + at_ + 1;
        seen = true;
        if (!tasks.empty()) return true;
      }
      if (!Value(key == "\"tasks\"" ? &tasks : nullptr)) break;
    }
    return seen;
  }

 private:
  static constexpr size_t kBuffer = size_t{1} << 16;

  // Forgets the buffer and reads on; false at the end.
  bool fill() {
    before_ += size_;
    at_ = size_ = 0;
    const auto read = source_.read(buffer_.get(), kBuffer);
    if (read) size_ = *read;
    return size_ > 0;
  }
  // The next byte that is no white space, or -1.
  int peek() {
    while (at_ < size_ || fill()) {
      const char c = buffer_[at_];
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return static_cast<unsigned char>(c);
      ++at_;
    }
    return -1;
  }

  bool Value(std::string* out) {
    const int c = peek();
    if (c != '{' && c != '[') return scalar(out);
    BracketScan scan;
    for (scan.at = at_;; scan.at = 0) {
      const bool closed = active_kernels().close(buffer_.get(), size_, scan);
      if (out) out->append(buffer_.get() + at_, scan.at - at_);
      at_ = scan.at;
      if (closed) return true;
      if (!fill()) return false;
    }
  }

  // A string with its quotes, or anything else up to the comma or bracket behind it.
  bool scalar(std::string* out) {
    const bool string = peek() == '"';
    bool escaped = false, first = true;
    while (at_ < size_ || fill()) {
      const char c = buffer_[at_];
      if (!string && (c == ',' || c == '}' || c == ']')) return !first;
      ++at_;
      if (out) out->push_back(c);
      if (string && c == '"' && !escaped && !first) return true;
      escaped = c == '\\' && !escaped;
      first = false;
    }
    return false;
  }

  ByteSource source_;
  std::unique_ptr<char[]> buffer_;
  size_t at_ = 0, size_ = 0, before_ = 0;  // in the buffer; bytes of the file before it
};

// The expected calls of each task that names any (even none).
const char* read_tasks(const std::string& text, Tau2Sidecar& sidecar) {
  PaddedBuffer buffer, name;
  JsonIndex index;
  if (const char* cause = index.build(buffer.copy(text))) return cause;
  Cursor tasks = index.all();
  tasks.enter_array();
  while (tasks.next_element()) {
    Cursor id, criteria, actions;
    const bool named = MessageReader::find(tasks, "id", id);
    const bool judged = MessageReader::find(tasks, "evaluation_criteria", criteria);
    tasks.skip();
    if (!named || !judged || !MessageReader::find(criteria, "actions", actions) || actions.null()) continue;
    const std::string key(id.peek() == '"' ? id.string(name) : id.raw());
    const std::string_view json = actions.raw();
    if (id.ok() && actions.ok()) sidecar.actions[key] = json;
  }
  return tasks.error();
}

}  // namespace

Result<std::unique_ptr<Sidecar>> load_tau2(const std::string& path, size_t& start, bool is_list) {
  auto sidecar = std::make_unique<Tau2Sidecar>();
  if (is_list) return std::unique_ptr<Sidecar>(std::move(sidecar));
  auto source = ByteSource::Open(path);
  if (!source) return source.error();
  std::string tasks;
  if (!TopLevel(std::move(*source)).Run(tasks, start)) {
    return Error{path + ": `simulations`: the key is missing, or the file ends before it"};
  }
  if (!tasks.empty() && tasks != "null") {
    if (const char* cause = read_tasks(tasks, *sidecar)) return Error{path + ": `tasks`: " + cause};
  }
  return std::unique_ptr<Sidecar>(std::move(sidecar));
}

}  // namespace wend
