// What the command's exit codes mean. Part of the interface: scripts rely on it (docs/commands.md).
#ifndef WEND_COMPILER_DRIVER_EXIT_CODE_H_
#define WEND_COMPILER_DRIVER_EXIT_CODE_H_

namespace wend::driver {

enum class Exit : int {
  fine = 0,
  input = 1,  // a spec, a data file or a record had errors
  usage = 2,  // the command line had
  ours = 3,   // a bug of ours
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_EXIT_CODE_H_
