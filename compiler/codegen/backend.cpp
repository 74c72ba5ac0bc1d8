#include "compiler/codegen/backend.h"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace wend::codegen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kModule = "libwend_llvm.so";

// Folders of the executable and of the library that this code is in.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  fs::path executable = fs::read_symlink("/proc/self/exe", ignored);
  if (!executable.empty()) folders.push_back(executable.parent_path());
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folders), &info) != 0 && info.dli_fname) {
    fs::path file = fs::weakly_canonical(info.dli_fname, ignored);
    if (file.has_parent_path()) folders.push_back(file.parent_path());
  }
  return folders;
}

}  // namespace

Result<std::string> backend_file() {
  std::string tried;
  for (const fs::path& folder : own_folders()) {
    for (const char* relative : {"../lib/wend", "../lib", "."}) {
      fs::path file = (folder / relative / kModule).lexically_normal();
      std::error_code ignored;
      if (fs::exists(file, ignored)) return file.string();
      tried += (tried.empty() ? "" : ", ") + file.string();
    }
  }
  return Error{fmt::format("cannot find the compiler's code generator {} (looked for {})", kModule, tried)};
}

Result<std::shared_ptr<Backend>> load_backend(const PrimitiveCode& primitives) {
  Result<std::string> file = backend_file();
  if (!file) return file.error();
  // Never closed: LLVM cannot be unloaded cleanly.
  void* module = dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!module) return Error{fmt::format("cannot open the code generator: {}", dlerror())};
  auto entry = reinterpret_cast<BackendEntry>(dlsym(module, "wend_llvm_backend"));
  std::shared_ptr<Backend> backend(entry ? entry(kBackendVersion, primitives) : nullptr);
  if (!backend) return Error{fmt::format("{} is of another version of Wend", *file)};
  return backend;
}

}  // namespace wend::codegen
