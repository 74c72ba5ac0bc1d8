// Which dialogues of the data a command is about: the one that --id names, with --all every one, else the first.
#ifndef WEND_COMPILER_DRIVER_SELECTION_H_
#define WEND_COMPILER_DRIVER_SELECTION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/exit_code.h"
#include "runtime/data/batch.h"
#include "runtime/result.h"

namespace wend::driver {

// What one batch has to say. Dialogues that were not asked for leave their ids, for the case that the right one never
// comes.
struct Selected {
  std::vector<std::string> texts, ids;
  std::optional<Error> bug;
};

class Selection {
 public:
  Selection(std::string id, bool all) : id_(std::move(id)), all_(all) {}

  // What `print` makes of the chosen dialogues of the batch. May run in several threads.
  Selected select(const Batch& batch, const std::function<Result<std::string>(uint32_t trace)>& print) const;
  // Writes it out; false: enough.
  bool accept(Selected&& found);
  // Says what went wrong, if anything did.
  Exit finish() const;

 private:
  std::string id_;
  bool all_;
  size_t printed_ = 0;
  std::vector<std::string> ids_;
  std::optional<Error> bug_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SELECTION_H_
