// What handling one event needs besides the dialogue: kept by the engine, lent to one event at a time.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/belief/tables.h"
#include "runtime/recognise/recognise.h"

namespace wend::belief {

struct Selection {
  uint32_t tool, param, value;
};
struct Argument {
  uint32_t name, value;
};

// Reads JSON into tables.
class ValueReader {
 public:
  // The row of a JSON text, WEND_NONE if it is none.
  uint32_t read(Tables& tables, std::string_view json);
  // The arguments of a call as models write them (data/readers/messages.cpp has the same rule): an object, one inside a
  // JSON string, or a Python literal. False, and none, if they cannot be read.
  bool read_arguments(Tables& tables, std::string_view text, std::vector<Argument>& arguments);

 private:
  bool read_fields(Tables& tables, Cursor& cursor, std::vector<Argument>& arguments);

  JsonIndex index_;
  PaddedBuffer padded_, string_;
  std::string inner_, json_, name_;
};

struct Workspace {
  recognise::Scratch scratch;
  ValueReader reader;
  std::vector<Selection> selected;
  std::vector<uint32_t> items;
  std::vector<Argument> arguments, references;
  std::vector<recognise::KnownSlot> slots;
  std::vector<recognise::ObjectView> objects;
  std::string made;                      // the text that a handler is making
  std::string buffer, utf8, key, known;  // known: the JSON of `slots`, one after the other
  // A live symbol while the tables are swept: its old row, its bytes in `swept`.
  struct Moved {
    uint32_t row;
    size_t begin, end;
    bool value, folded, string;
  };
  std::vector<Moved> moved;
  std::string swept;
  std::vector<uint32_t> new_texts, new_values;
  std::vector<wend_limit> limits;
};

class Workspaces {
 public:
  class Lease {
   public:
    Lease(Workspaces& owner, std::unique_ptr<Workspace> workspace) : owner_(owner), workspace_(std::move(workspace)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { owner_.give_back(std::move(workspace_)); }
    Workspace& operator*() const { return *workspace_; }

   private:
    Workspaces& owner_;
    std::unique_ptr<Workspace> workspace_;
  };

  Lease take();

 private:
  void give_back(std::unique_ptr<Workspace> workspace);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace wend::belief
