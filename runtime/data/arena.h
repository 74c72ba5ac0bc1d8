// Arena: bytes that stay where they are until the whole arena is cleared.
//
// Texts of a batch live here. Every byte handed out is followed by at least kArenaSlack readable and writable bytes,
// so that vector loads and stores may run past the end of a text.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace wend {

inline constexpr size_t kArenaSlack = 64;

class Arena {
 public:
  explicit Arena(size_t block_size = size_t{1} << 20) : block_size_(block_size) {}

  struct Mark {
    size_t block, used;
  };

  // Room for `size` bytes. The next Reserve may hand out the same bytes unless Commit says how many were used.
  char* reserve(size_t size) {
    if (current_ < blocks_.size() && blocks_[current_].size - used_ >= size)
      return blocks_[current_].data.get() + used_;
    return next_block(size);
  }
  void commit(size_t size) { used_ += size; }

  std::string_view store(std::string_view bytes) {
    char* at = reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    commit(bytes.size());
    return {at, bytes.size()};
  }

  Mark mark() const { return {current_, used_}; }
  // Forgets all that was stored after `mark`.
  void rollback(Mark mark) {
    current_ = mark.block;
    used_ = mark.used;
  }
  // Forgets everything and keeps the blocks for the next batch.
  void clear() { current_ = used_ = 0; }
  // Gives back the empty blocks that are larger than the others.
  void trim() {
    std::erase_if(blocks_,
                  [this](const Block& block) { return &block > &blocks_[current_] && block.size > block_size_; });
  }
  // Bytes held, and bytes handed out.
  size_t capacity() const {
    size_t sum = 0;
    for (const Block& block : blocks_) sum += block.size;
    return sum;
  }
  size_t used() const {
    size_t sum = used_;
    for (size_t i = 0; i < current_ && i < blocks_.size(); ++i) sum += blocks_[i].size;
    return sum;
  }

 private:
  struct Block {
    std::unique_ptr<char[]> data;
    size_t size;
  };
  char* next_block(size_t size) {
    if (current_ < blocks_.size()) ++current_;
    used_ = 0;
    if (current_ < blocks_.size() && blocks_[current_].size >= size) return blocks_[current_].data.get();
    const size_t room = size > block_size_ ? size : block_size_;
    Block block{std::unique_ptr<char[]>(new char[room + kArenaSlack]), room};
    std::memset(block.data.get() + room, 0, kArenaSlack);
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(current_), std::move(block));
    return blocks_[current_].data.get();
  }

  size_t block_size_;
  std::vector<Block> blocks_;
  size_t current_ = 0, used_ = 0;
};

}  // namespace wend
