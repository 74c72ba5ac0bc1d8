#include "compiler/codegen/aot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

namespace wend::codegen {

namespace fs = std::filesystem;

namespace {

// A folder of its own beside the result, gone at the end: the result is renamed into place, never half written.
class Workshop {
 public:
  explicit Workshop(const fs::path& beside) {
    std::string name = (beside / ".wend-link-XXXXXX").string();
    if (mkdtemp(name.data())) folder_ = name;
  }
  ~Workshop() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  explicit operator bool() const { return !folder_.empty(); }
  fs::path file(const char* name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

std::string first_lines(const fs::path& path) {
  std::ifstream file(path);
  std::string text(600, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// Runs a program to its end; what it says goes to `log`.
Result<void> run(std::vector<std::string> command, const fs::path& log) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  int problem = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) {
    return Error{fmt::format("cannot run the linker driver {}: {} (install a C compiler or set CC)", command[0],
                             std::strerror(problem))};
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{fmt::format("{} could not link the shared object: {}", command[0], first_lines(log))};
}

// $CC may hold options as well.
std::vector<std::string> linker_driver() {
  const char* cc = std::getenv("CC");
  std::vector<std::string> words;
  std::string word;
  for (const char* c = cc ? cc : ""; *c; ++c) {
    if (*c != ' ') {
      word += *c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(word);
  if (words.empty()) words.emplace_back("cc");
  return words;
}

}  // namespace

Result<std::string> emit(Jit& jit, const plan::Plan& plan, Artifact artifact, const AotOptions& options) {
  return jit.lower(plan, {.level = options.level, .cpu = options.cpu, .debug = options.debug, .tables = true},
                   artifact);
}

Result<void> emit_shared(Jit& jit, const plan::Plan& plan, const std::string& path, const AotOptions& options) {
  fs::path target(path);
  std::error_code unknown;
  if (fs::exists(target, unknown) && !fs::is_regular_file(target, unknown))
    return Error{fmt::format("cannot write {}: it is not a regular file", path)};
  Result<std::string> object = emit(jit, plan, Artifact::object, options);
  if (!object) return object.error();
  Workshop workshop(target.has_parent_path() ? target.parent_path() : fs::path("."));
  if (!workshop) return Error{fmt::format("cannot write to the folder of {}: {}", path, std::strerror(errno))};
  std::ofstream file(workshop.file("spec.o"), std::ios::binary);
  file.write(object->data(), static_cast<std::streamsize>(object->size()));
  file.close();
  if (!file) return Error{fmt::format("cannot write beside {}", path)};
  std::vector<std::string> command = linker_driver();
  for (std::string word : {std::string("-shared"), std::string("-Wl,-z,relro,-z,now"), std::string("-o"),
                           workshop.file("spec.so").string(), workshop.file("spec.o").string()}) {
    command.push_back(std::move(word));
  }
  Result<void> linked = run(std::move(command), workshop.file("log"));
  if (!linked) return linked;
  std::error_code problem;
  fs::rename(workshop.file("spec.so"), target, problem);
  if (problem) return Error{fmt::format("cannot write {}: {}", path, problem.message())};
  return {};
}

}  // namespace wend::codegen
