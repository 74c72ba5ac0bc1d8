#include "runtime/data/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace wend {
namespace {

Error failed(const std::string& path, int error) { return {path + ": " + std::strerror(error)}; }

// What the first bytes say the file is, if it is not text.
const char* foreign(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return "compressed with gzip: unpack it first (gunzip)";
  if (head.starts_with("\x28\xB5\x2F\xFD")) return "compressed with zstd: unpack it first (unzstd)";
  if (head.starts_with("BZh")) return "compressed with bzip2: unpack it first (bunzip2)";
  if (head.starts_with("PK\x03\x04")) return "a zip archive: unpack it first (unzip)";
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return "UTF-16 text; UTF-8 is needed";
  if (head.starts_with("PAR1")) return "a Parquet file; JSON or JSON Lines is needed";
  return nullptr;
}

}  // namespace

Result<ByteSource> ByteSource::Open(const std::string& path) {
  const int fd = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failed(path, errno);
  ByteSource source(path, fd);
  struct stat info{};
  if (::fstat(fd, &info) != 0) return failed(path, errno);
  if (S_ISDIR(info.st_mode)) return Error{path + ": this is a directory; name the files in it"};
  source.regular_ = S_ISREG(info.st_mode) && path != "-";
  if (source.regular_) source.size_ = static_cast<uint64_t>(info.st_size);
  std::string head(4096, '\0');
  size_t filled = 0;
  while (filled < head.size()) {
    const auto read = source.read(head.data() + filled, head.size() - filled);
    if (!read) return read.error();
    if (*read == 0) break;
    filled += *read;
  }
  head.resize(filled);
  if (const char* what = foreign(head)) return Error{path + ": " + what};
  if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
  if (filled < 4096 && head.find_first_not_of(" \t\r\n") == std::string::npos)
    return Error{path + ": the file is empty"};
  source.head_ = std::move(head);
  return source;
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : path_(std::move(other.path_)),
      head_(std::move(other.head_)),
      fd_(std::exchange(other.fd_, -1)),
      regular_(other.regular_),
      size_(other.size_),
      taken_(other.taken_) {}

ByteSource& ByteSource::operator=(ByteSource&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(head_, other.head_);
  std::swap(fd_, other.fd_);
  std::swap(regular_, other.regular_);
  std::swap(size_, other.size_);
  std::swap(taken_, other.taken_);
  return *this;
}

ByteSource::~ByteSource() {
  if (fd_ >= 0) ::close(fd_);
}

Result<size_t> ByteSource::read(char* out, size_t size) {
  if (!head_.empty()) {
    const size_t n = std::min(size, head_.size());
    std::memcpy(out, head_.data(), n);
    head_.erase(0, n);
    return n;
  }
  while (true) {
    const auto n = ::read(fd_, out, size);
    if (n >= 0) {
      taken_ += static_cast<uint64_t>(n);
      return static_cast<size_t>(n);
    }
    if (errno != EINTR) return failed(path_, errno);
  }
}

Result<std::string> read_whole_file(const std::string& path) {
  auto source = ByteSource::Open(path);
  if (!source) return source.error();
  std::string text;
  for (size_t filled = 0;;) {
    text.resize(filled + (size_t{1} << 16) + filled / 2);
    const auto read = source->read(text.data() + filled, text.size() - filled);
    if (!read) return read.error();
    filled += *read;
    if (*read == 0) {
      text.resize(filled);
      return text;
    }
  }
}

}  // namespace wend
