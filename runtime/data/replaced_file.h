// A file that appears whole or not at all: written beside its place, synced to the disk, then renamed.
#pragma once

#include <string>
#include <string_view>

#include "runtime/result.h"

namespace wend {

class ReplacedFile {
 public:
  static Result<ReplacedFile> create(const std::string& path);

  ReplacedFile(ReplacedFile&& other) noexcept;
  ReplacedFile& operator=(ReplacedFile&&) = delete;
  ~ReplacedFile();  // without commit(), what was there stays

  // A failure is kept, and reported by commit().
  void write(std::string_view bytes);
  Result<void> commit();

 private:
  ReplacedFile(std::string path, std::string part, int fd) : path_(std::move(path)), part_(std::move(part)), fd_(fd) {}

  std::string path_, part_;
  int fd_ = -1;
  int failure_ = 0;  // errno of the first write that failed
};

// The same for a text that is at hand.
Result<void> replace_file(const std::string& path, std::string_view text);

}  // namespace wend
