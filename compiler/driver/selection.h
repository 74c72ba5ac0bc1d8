// Which dialogues of the data a command is about: the one that --id names, with --all every one, else the first.
#ifndef WEND_COMPILER_DRIVER_SELECTION_H_
#define WEND_COMPILER_DRIVER_SELECTION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/exit_code.h"
#include "runtime/data/batch.h"

namespace wend::driver {

// Takes what a command has to say of a dialogue, piece by piece.
using Output = std::function<void(std::string_view text)>;

// Why a command ends at a dialogue.
struct Stop {
  Exit code;
  std::string message;
};

// Writes what there is to say of a dialogue; no failure: go on.
using Print = std::function<std::optional<Stop>(uint32_t trace, const Output& out)>;

// What one batch has to say. Dialogues that were not asked for leave their ids, for the case that the right one never
// comes.
struct Selected {
  std::string text;
  size_t dialogues = 0;  // chosen
  std::vector<std::string> ids;
  std::optional<Stop> failed;
};

class Selection {
 public:
  // With one thread, what a dialogue says is written at once; with several, when its batch has its turn.
  Selection(std::string id, bool all, unsigned threads) : id_(std::move(id)), all_(all), at_once_(threads <= 1) {}

  // What `print` makes of the chosen dialogues of the batch, up to the first that fails. May run in several threads.
  Selected select(const Batch& batch, const Print& print) const;
  // Writes it out; false: enough.
  bool accept(Selected&& found);
  // Says what went wrong, if anything did.
  Exit finish() const;

 private:
  std::string id_;
  bool all_, at_once_;
  size_t printed_ = 0;
  std::vector<std::string> ids_;
  std::optional<Stop> failed_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SELECTION_H_
