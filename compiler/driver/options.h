// The options that several commands share, and where each is declared for the command line.
#ifndef WEND_COMPILER_DRIVER_OPTIONS_H_
#define WEND_COMPILER_DRIVER_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wend::driver {

struct SpecOptions {
  std::string spec;               // a .wend file or a shared object of `wend compile --emit so`
  std::string engine = "jit";     // or "interpreter"
  std::string opt = "auto";       // "auto", "0" or "2": how hard the JIT optimises
  std::vector<std::string> sets;  // NAME=VALUE
  std::string set_file;           // YAML or JSON: a map of names to values
};

struct DataOptions {
  std::vector<std::string> files;
  std::string format = "auto";
  std::string tools;    // a file with the candidate tools, for formats that do not carry them
  std::string answers;  // BFCL: the file or folder with the possible answers
  std::string results;  // BFCL: the file or folder with the calls of a model
  std::string play;     // "gold": the agent of formats without responses does what gold says
  bool strict = false;  // the first bad record is fatal
  bool quiet = false;
  unsigned threads = 0;  // 0: one per core
};

struct JudgeOptions {
  std::string judge = "rule";  // or "http"
  std::string url, model, key_env, cache;
  int concurrency = 8;
  double rate = 0;      // requests a second, 0: no limit
  double timeout = 30;  // seconds
  int attempts = 4;
  double backoff = 0.5;  // seconds
  int max_tokens = 256;
};

void declare(CLI::App& command, SpecOptions& options);
void declare(CLI::App& command, DataOptions& options);
void declare(CLI::App& command, JudgeOptions& options);
// The server alone, of whatever it is asked.
void declare_server(CLI::App& command, JudgeOptions& options, const char* group);

// The number of threads that `asked` (0: one per core) means.
unsigned thread_count(unsigned asked);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_OPTIONS_H_
