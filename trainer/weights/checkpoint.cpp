#include "trainer/weights/checkpoint.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/data/byte_source.h"
#include "runtime/data/replaced_file.h"

namespace wend::weights {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kSingle = "model.safetensors";
constexpr std::string_view kIndex = "model.safetensors.index.json";
const std::map<std::string, std::string> kMetadata = {{"format", "pt"}};  // transformers asks for it

std::string in(const std::string& folder, std::string_view name) { return (fs::path(folder) / name).string(); }

using WeightMap = std::map<std::string, std::string>;  // tensor -> shard

Result<WeightMap> read_index(const std::string& path) {
  Result<std::string> text = read_whole_file(path);
  if (!text) return text.error();
  const Json index = Json::parse(*text, nullptr, false);
  const Json map = index.is_object() ? index.value("weight_map", Json()) : Json();
  if (!map.is_object() || map.empty()) return Error{path + ": `weight_map` is missing or no object"};
  WeightMap out;
  for (const auto& [tensor, shard] : map.items()) {
    const std::string name = shard.is_string() ? shard.get<std::string>() : "";
    // A shard lies in the folder itself; anything else would read files that are none of the model's.
    if (name.empty() || fs::path(name).filename() != name) {
      return Error{fmt::format("{}: `weight_map.{}` is no name of a file beside it", path, tensor)};
    }
    out[tensor] = name;
  }
  return out;
}

bool is_shard(const std::string& name) { return name.starts_with("model-") && name.ends_with(".safetensors"); }

}  // namespace

Result<void> Checkpoint::add(const std::string& path) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file) return file.error();
  for (const TensorView& tensor : file->tensors()) {
    if (!tensors_.emplace(tensor.name, tensor).second) {
      return Error{fmt::format("{}: tensor `{}` is in an earlier shard as well", path, tensor.name)};
    }
  }
  files_.push_back(std::move(*file));
  return {};
}

Result<Checkpoint> Checkpoint::open(const std::string& folder) {
  Checkpoint out;
  out.folder_ = folder;
  if (!fs::is_directory(folder)) return Error{folder + ": is no folder"};
  const std::string index = in(folder, kIndex);
  if (!fs::exists(index)) {
    if (!fs::exists(in(folder, kSingle))) {
      return Error{fmt::format("{}: holds neither {} nor {}", folder, kSingle, kIndex)};
    }
    if (Result<void> added = out.add(in(folder, kSingle)); !added) return added.error();
    return out;
  }
  Result<WeightMap> map = read_index(index);
  if (!map) return map.error();
  std::set<std::string> shards;
  for (const auto& [tensor, shard] : *map) shards.insert(shard);
  for (const std::string& shard : shards) {
    if (!fs::exists(in(folder, shard))) return Error{fmt::format("{}: its shard {} is missing", index, shard)};
    if (Result<void> added = out.add(in(folder, shard)); !added) return added.error();
  }
  for (const auto& [tensor, shard] : *map) {
    if (out.find(tensor) == nullptr) return Error{fmt::format("{}: tensor `{}` is not in {}", index, tensor, shard)};
  }
  return out;
}

const TensorView* Checkpoint::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

Result<void> write_checkpoint(const std::string& folder, std::span<const TensorView> tensors, uint64_t shard_bytes) {
  std::vector<std::vector<TensorView>> shards(1);
  uint64_t filled = 0, total = 0;
  for (const TensorView& tensor : tensors) {
    if (!shards.back().empty() && filled + tensor.bytes.size() > shard_bytes) {
      shards.emplace_back();
      filled = 0;
    }
    shards.back().push_back(tensor);
    filled += tensor.bytes.size();
    total += tensor.bytes.size();
  }
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return Error{fmt::format("{}: {}", folder, failed.message())};

  std::set<std::string> written;
  Json map = Json::object();
  for (size_t i = 0; i < shards.size(); ++i) {
    const std::string name = shards.size() == 1 ? std::string(kSingle)
                                                : fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, shards.size());
    if (Result<void> done = write_safetensors(in(folder, name), shards[i], kMetadata); !done) return done.error();
    written.insert(name);
    for (const TensorView& tensor : shards[i]) map[tensor.name] = name;
  }
  if (shards.size() > 1) {
    const Json index = {{"metadata", {{"total_size", total}}}, {"weight_map", map}};
    if (Result<void> done = replace_file(in(folder, kIndex), index.dump(2) + "\n"); !done) return done.error();
    written.insert(std::string(kIndex));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if ((is_shard(name) || name == kSingle || name == kIndex) && !written.contains(name)) {
      fs::remove(entry.path(), failed);
    }
  }
  return {};
}

}  // namespace wend::weights
