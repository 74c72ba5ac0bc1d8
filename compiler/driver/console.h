// What the command says: results to stdout, everything else to stderr.
#ifndef WEND_COMPILER_DRIVER_CONSOLE_H_
#define WEND_COMPILER_DRIVER_CONSOLE_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/driver/exit_code.h"

namespace wend::driver {

// For programs and files: the bytes as they are.
void write_out(std::string_view bytes);
// For people: what a terminal would obey comes out as `?`, wherever it was read.
void show(std::string_view text);
// False if something could not be written (a full disk, a closed pipe).
bool flush_out();

// "wend: error: TEXT" and "wend: warning: TEXT"; returns the exit code for `return complain(...)`.
Exit complain(Exit code, std::string_view text);
void warn(std::string_view text);
void note(std::string_view text);

// Whether stdout or stderr may have colours: a terminal, and NO_COLOR not set.
bool color_on_stdout();
bool color_on_stderr();

// A bar on stderr for work that takes longer than a second; nothing unless stderr is a terminal.
//   scoring  41% [========            ]  12.3 s
class Progress {
 public:
  Progress(std::string label, uint64_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  uint64_t total_;
  bool active_;
  bool drawn_ = false;
  Clock::time_point started_, last_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_CONSOLE_H_
