#include "compiler/driver/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace wend::driver {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, Close>;

Result<void> write_through(const std::string& path, std::string_view bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || std::fflush(file.get()) != 0)
    return Error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
  return {};
}

Result<std::vector<std::string>> specs_below(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code failure;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied, failure), end;
  for (; !failure && entries != end; entries.increment(failure)) {
    if (entries->path().extension() == ".wend" && entries->is_regular_file(failure)) {
      found.push_back(entries->path().string());
    }
  }
  if (failure) return Error{fmt::format("cannot read {}: {}", folder, failure.message())};
  if (found.empty()) return Error{fmt::format("the folder {} holds no .wend file", folder)};
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Result<std::vector<std::string>> spec_files(const std::vector<std::string>& named) {
  std::vector<std::string> files;
  for (const std::string& name : named) {
    std::error_code failure;
    if (!fs::is_directory(name, failure)) {
      files.push_back(name);
      continue;
    }
    Result<std::vector<std::string>> below = specs_below(name);
    if (!below) return below;
    files.insert(files.end(), below->begin(), below->end());
  }
  return files;
}

Result<std::string> read_file(const std::string& path) {
  std::error_code failure;
  if (path != "-" && fs::is_directory(path, failure)) return Error{fmt::format("{} is a folder", path)};
  File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  std::string bytes;
  char buffer[1 << 16];
  while (size_t read = std::fread(buffer, 1, sizeof buffer, file.get())) bytes.append(buffer, read);
  if (std::ferror(file.get())) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  return bytes;
}

Result<void> write_file(const std::string& named, std::string_view bytes) {
  std::error_code failure;
  const fs::path target = fs::is_symlink(named, failure) ? fs::weakly_canonical(named, failure) : fs::path(named);
  const std::string path = target.empty() ? named : target.string();
  // Written beside the file and renamed, so that nobody sees half of it; what is no file (/dev/null) is written
  // through.
  const fs::file_status before = fs::status(path, failure);
  if (fs::exists(before) && !fs::is_regular_file(before) && !fs::is_directory(before))
    return write_through(path, bytes);
  std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  auto failed = [&] {
    Error error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
    std::remove(temporary.c_str());
    return error;
  };
  {
    File file(std::fopen(temporary.c_str(), "wb"));
    if (!file) return failed();
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return failed();
    if (std::fflush(file.get()) != 0) return failed();
  }
  // The file keeps its permissions.
  if (fs::exists(before)) fs::permissions(temporary, before.permissions(), failure);
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return failed();
  return {};
}

}  // namespace wend::driver
