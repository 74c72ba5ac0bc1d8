// Compiled objects kept on disk between runs.
//
// An entry is one file named after its key (a SHA-256 of everything that the code depends on), holding a magic, the
// key, the hash of the content, and the content. It is written under another name and renamed, so that no reader sees
// half of it; an entry that does not verify counts as absent and is written anew. A folder that cannot be written to,
// or a full disk, stops nobody: then nothing is kept.
#ifndef WEND_COMPILER_CODEGEN_OBJECT_CACHE_H_
#define WEND_COMPILER_CODEGEN_OBJECT_CACHE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/result.h"

namespace wend::codegen {

class ObjectCache {
 public:
  static constexpr uint64_t kDefaultLimit = 256ull << 20;

  // Keeps nothing.
  ObjectCache() = default;
  // Keeps up to `limit` bytes; what was not used for the longest time goes first.
  explicit ObjectCache(std::filesystem::path folder, uint64_t limit = kDefaultLimit)
      : folder_(std::move(folder)), limit_(limit) {}

  // $WEND_CACHE (empty: none), else $XDG_CACHE_HOME/wend, else ~/.cache/wend.
  static ObjectCache of_environment();

  bool enabled() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file(const std::string& key) const { return folder_ / (key + ".o"); }

  // Whether there is an entry, good or not.
  bool has(const std::string& key) const;
  std::optional<std::string> get(const std::string& key) const;
  // Keeps it. Fails if the folder cannot be written to; what it held stays.
  Result<void> put(const std::string& key, std::string_view object) const;

 private:
  void make_room() const;

  std::filesystem::path folder_;
  uint64_t limit_ = 0;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_OBJECT_CACHE_H_
