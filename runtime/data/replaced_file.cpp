#include "runtime/data/replaced_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace wend {
namespace {

Error failed(const std::string& path, int code) {
  return Error{fmt::format("{}: cannot be written: {}", path, std::strerror(code))};
}

// The rename itself is on the disk only when its folder is.
void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)::fsync(fd);
  ::close(fd);
}

}  // namespace

Result<ReplacedFile> ReplacedFile::create(const std::string& path) {
  std::string part = fmt::format("{}.part-{}", path, ::getpid());
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return failed(path, errno);
  return ReplacedFile(path, std::move(part), fd);
}

ReplacedFile::ReplacedFile(ReplacedFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::move(other.part_)),
      fd_(std::exchange(other.fd_, -1)),
      failure_(other.failure_) {}

ReplacedFile::~ReplacedFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  (void)std::remove(part_.c_str());
}

void ReplacedFile::write(std::string_view bytes) {
  constexpr size_t kMost = size_t{1} << 30;  // one call of write() takes less than 2 GiB
  while (!bytes.empty() && failure_ == 0) {
    const ssize_t written = ::write(fd_, bytes.data(), std::min(bytes.size(), kMost));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
}

Result<void> ReplacedFile::commit() {
  if (failure_ == 0 && ::fsync(fd_) != 0) failure_ = errno;
  if (::close(std::exchange(fd_, -1)) != 0 && failure_ == 0) failure_ = errno;
  if (failure_ == 0 && std::rename(part_.c_str(), path_.c_str()) != 0) failure_ = errno;
  if (failure_ != 0) {
    (void)std::remove(part_.c_str());
    return failed(path_, failure_);
  }
  sync_folder_of(path_);
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view text) {
  Result<ReplacedFile> file = ReplacedFile::create(path);
  if (!file) return file.error();
  file->write(text);
  return file->commit();
}

}  // namespace wend
