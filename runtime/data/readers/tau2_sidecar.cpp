#include <algorithm>
#include <string>

#include "runtime/data/byte_source.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/readers/messages.h"
#include "runtime/data/readers/tau2.h"

namespace wend {
namespace {

// The bytes of a file one after the other.
class ByteReader {
 public:
  explicit ByteReader(ByteSource source) : source_(std::move(source)) {}

  // The next byte, or -1 at the end.
  int Next() {
    if (at_ == size_) {
      const auto read = source_.Read(buffer_, sizeof buffer_);
      at_ = 0;
      size_ = read ? *read : 0;
      if (size_ == 0) return -1;
    }
    ++position_;
    return static_cast<unsigned char>(buffer_[at_++]);
  }
  size_t position() const { return position_; }

 private:
  ByteSource source_;
  char buffer_[1 << 16];
  size_t at_ = 0, size_ = 0, position_ = 0;
};

// Walks the fields of the object that a file is, keeping the text of one of them.
class TopLevel {
 public:
  explicit TopLevel(ByteSource source) : bytes_(std::make_unique<ByteReader>(std::move(source))) {}

  // Fills `tasks` with the JSON of that key and `start` with the place of `simulations`; false if the text ends or
  // makes no sense before simulations were seen.
  bool Run(std::string& tasks, size_t& start) {
    bool seen = false;
    if (Skip() != '{') return false;
    for (int c = Skip(); c == '"' || c == ','; c = Skip()) {
      if (c == ',') continue;
      std::string key;
      if (!String(&key) || Skip() != ':') break;
      const int open = Skip();
      if (key == "simulations" && open == '[') {
        start = bytes_->position();
        seen = true;
        if (!tasks.empty()) return true;
      }
      if (!Value(open, key == "tasks" ? &tasks : nullptr)) break;
    }
    return seen;
  }

 private:
  int Skip() {
    int c = pushed_ >= 0 ? pushed_ : bytes_->Next();
    pushed_ = -1;
    while (c == ' ' || c == '\n' || c == '\t' || c == '\r') c = bytes_->Next();
    return c;
  }

  // The rest of a string whose quote was read, raw.
  bool String(std::string* out) {
    for (int c = bytes_->Next(); c >= 0; c = bytes_->Next()) {
      if (c == '"') return true;
      if (out) out->push_back(static_cast<char>(c));
      if (c != '\\') continue;
      c = bytes_->Next();
      if (c >= 0 && out) out->push_back(static_cast<char>(c));
    }
    return false;
  }

  // The value whose first byte is `c`.
  bool Value(int c, std::string* out) {
    for (int depth = 0; c >= 0; c = bytes_->Next()) {
      if (out && !(depth == 0 && (c == ',' || c == '}' || c == ']'))) out->push_back(static_cast<char>(c));
      if (c == '"') {
        if (!String(out)) return false;
        if (out) out->push_back('"');
        if (depth == 0) return true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return false;
        if (--depth == 0) return true;
      } else if (depth == 0 && c == ',') {
        pushed_ = c;
        return true;
      }
    }
    return false;
  }

  std::unique_ptr<ByteReader> bytes_;
  int pushed_ = -1;
};

// The expected calls of each task that names any (even none).
const char* ReadTasks(const std::string& text, Tau2Sidecar& sidecar) {
  PaddedBuffer buffer, name;
  JsonIndex index;
  if (const char* cause = index.Build(buffer.Copy(text))) return cause;
  Cursor tasks = index.All();
  tasks.EnterArray();
  while (tasks.NextElement()) {
    Cursor id, criteria, actions;
    const bool named = MessageReader::Find(tasks, "id", id);
    const bool judged = MessageReader::Find(tasks, "evaluation_criteria", criteria);
    tasks.Skip();
    if (!named || !judged || !MessageReader::Find(criteria, "actions", actions) || actions.Null()) continue;
    const std::string key(id.peek() == '"' ? id.String(name) : id.Raw());
    const std::string_view json = actions.Raw();
    if (id.ok() && actions.ok()) sidecar.actions[key] = json;
  }
  return tasks.error();
}

}  // namespace

Result<std::unique_ptr<Sidecar>> LoadTau2(const std::string& path, size_t& start, bool is_list) {
  auto sidecar = std::make_unique<Tau2Sidecar>();
  if (is_list) return std::unique_ptr<Sidecar>(std::move(sidecar));
  auto source = ByteSource::Open(path);
  if (!source) return source.error();
  std::string tasks;
  if (!TopLevel(std::move(*source)).Run(tasks, start)) {
    return Error{path + ": `simulations`: the key is missing, or the file ends before it"};
  }
  if (!tasks.empty() && tasks != "null") {
    if (const char* cause = ReadTasks(tasks, *sidecar)) return Error{path + ": `tasks`: " + cause};
  }
  return std::unique_ptr<Sidecar>(std::move(sidecar));
}

}  // namespace wend
