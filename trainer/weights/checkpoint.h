// The tensors of a model as Hugging Face lays them out in a folder: model.safetensors, or several shards and
// model.safetensors.index.json that says which tensor is in which.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result.h"
#include "trainer/weights/safetensors.h"

namespace wend::weights {

class Checkpoint {
 public:
  // Errors name the folder, shard or tensor at fault.
  static Result<Checkpoint> open(const std::string& folder);

  const TensorView* find(std::string_view name) const;
  // By name.
  const std::map<std::string, TensorView, std::less<>>& tensors() const { return tensors_; }
  const std::string& folder() const { return folder_; }

 private:
  Result<void> add(const std::string& path);

  std::string folder_;
  std::vector<SafetensorsFile> files_;
  std::map<std::string, TensorView, std::less<>> tensors_;
};

// Writes the tensors into the folder, in shards of at most `shard_bytes` (a larger tensor has one for itself), and an
// index where there is more than one shard. Shards of an earlier checkpoint that are no longer part of it are removed.
Result<void> write_checkpoint(const std::string& folder, std::span<const TensorView> tensors,
                              uint64_t shard_bytes = 5'000'000'000);

}  // namespace wend::weights
