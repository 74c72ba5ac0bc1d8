// One file of tensors in the safetensors format: an 8-byte length, a JSON header, the bytes of the tensors.
//
// A file is mapped, not read, and nothing that its header claims is believed before it is checked: the names, dtypes,
// shapes and offsets must describe the bytes behind the header exactly, without gap or overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result.h"

namespace wend::weights {

enum class DType : uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

std::string_view name_of(DType dtype);  // as the format writes it: "F32", "BF16"
std::optional<DType> dtype_named(std::string_view name);
size_t size_of(DType dtype);  // bytes of one element

std::string shape_text(std::span<const int64_t> shape);  // "[1024, 3072]"

// A tensor that lies somewhere else: row-major, contiguous, little endian.
struct TensorView {
  std::string name;
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;

  int64_t elements() const;
};

class SafetensorsFile {
 public:
  // Errors name the file and the tensor at fault.
  static Result<SafetensorsFile> open(const std::string& path);

  // In the order of their bytes. The views live as long as this object.
  const std::vector<TensorView>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::string& path() const { return path_; }

 private:
  class Mapping;

  std::string path_;
  std::shared_ptr<const Mapping> mapping_;
  std::vector<TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
};

// Writes a file beside `path` and renames it, so that a crash or a full disk leaves what was there.
Result<void> write_safetensors(const std::string& path, std::span<const TensorView> tensors,
                               const std::map<std::string, std::string>& metadata = {});

}  // namespace wend::weights
