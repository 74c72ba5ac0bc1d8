// ByteSource: a file read front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/result.h"

namespace wend {

class ByteSource {
 public:
  // Opens a file of JSON text, "-" being standard input. What cannot be that (a directory, gzip, UTF-16, an empty file)
  // is an error that says so.
  static Result<ByteSource> Open(const std::string& path);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&& other) noexcept;
  ~ByteSource();

  // Reads up to `size` bytes; 0 at the end.
  Result<size_t> read(char* out, size_t size);

  // Gives bytes back, to be read first.
  void unread(std::string_view bytes) { head_.insert(0, bytes); }

  const std::string& path() const { return path_; }
  // It can be opened again: no pipe or terminal.
  bool regular() const { return regular_; }
  // Bytes of a regular file when it was opened, otherwise 0; bytes read from it so far.
  uint64_t size() const { return size_; }
  uint64_t taken() const { return taken_; }

 private:
  ByteSource(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  std::string head_;  // bytes read to look at the file, given out first
  int fd_ = -1;
  bool regular_ = false;
  uint64_t size_ = 0, taken_ = 0;
};

// The whole of a file, for side files that are small.
Result<std::string> read_whole_file(const std::string& path);

}  // namespace wend
