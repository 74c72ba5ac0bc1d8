#include "compiler/codegen/object_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "compiler/plan/sha256.h"

namespace wend::codegen {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "wend object 1\n";
constexpr size_t kDigest = 64;
constexpr size_t kHeader = kMagic.size() + 2 * kDigest;

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// The whole file, if it is an ordinary one of this user (or of root): what it holds will be run.
std::optional<std::string> read_own(const fs::path& path) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if ((status.st_uid != geteuid() && status.st_uid != 0) || (status.st_mode & (S_IWGRP | S_IWOTH))) return std::nullopt;
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t got = 0;
  while (got < bytes.size()) {
    ssize_t part = read(file.get(), bytes.data() + got, bytes.size() - got);
    if (part <= 0) return std::nullopt;
    got += static_cast<size_t>(part);
  }
  return bytes;
}

}  // namespace

ObjectCache ObjectCache::of_environment() {
  if (const char* folder = std::getenv("WEND_CACHE")) return *folder ? ObjectCache(folder) : ObjectCache();
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return ObjectCache(fs::path(folder) / "wend");
  if (const char* home = std::getenv("HOME"); home && *home) return ObjectCache(fs::path(home) / ".cache" / "wend");
  return {};
}

bool ObjectCache::has(const std::string& key) const {
  std::error_code ignored;
  return enabled() && fs::exists(file(key), ignored);
}

std::optional<std::string> ObjectCache::get(const std::string& key) const {
  if (!enabled()) return std::nullopt;
  std::optional<std::string> bytes = read_own(file(key));
  if (!bytes || bytes->size() < kHeader) return std::nullopt;
  std::string_view view(*bytes);
  std::string_view content = view.substr(kHeader);
  if (view.substr(0, kMagic.size()) != kMagic || view.substr(kMagic.size(), kDigest) != key ||
      view.substr(kMagic.size() + kDigest, kDigest) != plan::sha256(content)) {
    return std::nullopt;
  }
  // Used now: spared by the next clearing out. Once in an hour is enough.
  std::error_code ignored;
  auto now = fs::file_time_type::clock::now();
  if (now - fs::last_write_time(file(key), ignored) > std::chrono::hours(1)) {
    fs::last_write_time(file(key), now, ignored);
  }
  bytes->erase(0, kHeader);
  return bytes;
}

Result<void> ObjectCache::put(const std::string& key, std::string_view object) const {
  if (!enabled()) return {};
  const auto failed = [&](int error) { return Error{fmt::format("{}: {}", folder_.string(), std::strerror(error))}; };
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) return failed(problem.value());
  std::string name = (folder_ / ".new-XXXXXX").string();
  File file_(mkostemp(name.data(), O_CLOEXEC));
  if (!file_) return failed(errno);
  bool written = write_all(file_.get(), kMagic) && write_all(file_.get(), key) &&
                 write_all(file_.get(), plan::sha256(object)) && write_all(file_.get(), object);
  if (!written || std::rename(name.c_str(), file(key).c_str()) != 0) {
    const Error error = failed(errno);
    unlink(name.c_str());
    return error;
  }
  make_room();
  return {};
}

void ObjectCache::make_room() const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    uint64_t size;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code problem;
  for (fs::directory_iterator it(folder_, problem), end; !problem && it != end; it.increment(problem)) {
    std::error_code gone;
    bool ours = it->path().extension() == ".o" || it->path().filename().string().rfind(".new-", 0) == 0;
    if (!ours || !it->is_regular_file(gone)) continue;
    Entry entry{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) continue;
    total += entry.size;
    entries.push_back(std::move(entry));
  }
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  // Somewhat below the limit, so that not every new entry has to look for room. The newest stays in any case.
  for (size_t i = 0; i + 1 < entries.size() && total > limit_ / 4 * 3; ++i) {
    std::error_code gone;
    if (fs::remove(entries[i].path, gone)) total -= entries[i].size;
  }
}

}  // namespace wend::codegen
