#include "trainer/weights/safetensors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/data/replaced_file.h"

namespace wend::weights {
namespace {

using Json = nlohmann::json;

struct DTypeInfo {
  std::string_view name;
  size_t size;
};
constexpr std::array<DTypeInfo, 10> kDTypes = {{{"F64", 8},
                                                {"F32", 4},
                                                {"F16", 2},
                                                {"BF16", 2},
                                                {"I64", 8},
                                                {"I32", 4},
                                                {"I16", 2},
                                                {"I8", 1},
                                                {"U8", 1},
                                                {"BOOL", 1}}};

constexpr uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr size_t kLengthBytes = 8;

Error at(const std::string& path, std::string_view what) { return Error{fmt::format("{}: {}", path, what)}; }

uint64_t little_endian(const std::byte* bytes) {
  uint64_t out = 0;
  for (size_t i = kLengthBytes; i-- > 0;) out = out << 8 | std::to_integer<uint64_t>(bytes[i]);
  return out;
}

// What the header says of one tensor, or what is wrong with it.
class EntryReader {
 public:
  EntryReader(const std::string& path, std::span<const std::byte> data) : path_(path), data_(data) {}

  Result<TensorView> read(const std::string& name, const Json& entry) const {
    if (!entry.is_object()) return wrong(name, "its entry is no object");
    TensorView out;
    out.name = name;
    const Json dtype = entry.value("dtype", Json());
    const auto known = dtype.is_string() ? dtype_named(dtype.get<std::string>()) : std::nullopt;
    if (!known) return wrong(name, fmt::format("dtype {} is not supported", dtype.dump()));
    out.dtype = *known;
    const std::optional<uint64_t> bytes = read_shape(entry.value("shape", Json()), out);
    if (!bytes) return wrong(name, "`shape` is no list of sizes that a file can hold");
    const Json offsets = entry.value("data_offsets", Json());
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned()) {
      return wrong(name, "`data_offsets` is no pair of offsets");
    }
    const auto begin = offsets[0].get<uint64_t>(), end = offsets[1].get<uint64_t>();
    if (begin > end || end > data_.size()) {
      return wrong(name, fmt::format("bytes {} to {} are outside the file's {} bytes of data{}", begin, end,
                                     data_.size(), end > data_.size() ? " (truncated?)" : ""));
    }
    if (end - begin != *bytes) {
      return wrong(name, fmt::format("shape {} of {} takes {} bytes, its offsets hold {}", shape_text(out.shape),
                                     name_of(out.dtype), *bytes, end - begin));
    }
    out.bytes = data_.subspan(begin, end - begin);
    return out;
  }

  Error wrong(const std::string& name, std::string_view what) const {
    return Error{fmt::format("{}: tensor `{}`: {}", path_, name, what)};
  }

 private:
  // The bytes that it takes; nothing where the sizes are none, or overflow.
  static std::optional<uint64_t> read_shape(const Json& shape, TensorView& out) {
    if (!shape.is_array()) return {};
    uint64_t bytes = size_of(out.dtype);
    for (const Json& size : shape) {
      if (!size.is_number_unsigned()) return {};
      const auto n = size.get<uint64_t>();
      if (n > static_cast<uint64_t>(INT64_MAX) || __builtin_mul_overflow(bytes, n, &bytes)) return {};
      out.shape.push_back(static_cast<int64_t>(n));
    }
    if (bytes > static_cast<uint64_t>(INT64_MAX)) return {};
    return bytes;
  }

  const std::string& path_;
  std::span<const std::byte> data_;
};

Result<std::map<std::string, std::string>> read_metadata(const std::string& path, const Json& said) {
  std::map<std::string, std::string> out;
  if (!said.is_object()) return at(path, "`__metadata__` is no object");
  for (const auto& [key, value] : said.items()) {
    if (!value.is_string()) return at(path, fmt::format("`__metadata__.{}` is no text", key));
    out[key] = value.get<std::string>();
  }
  return out;
}

}  // namespace

std::string_view name_of(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].name; }

std::optional<DType> dtype_named(std::string_view name) {
  for (size_t i = 0; i < kDTypes.size(); ++i) {
    if (kDTypes[i].name == name) return static_cast<DType>(i);
  }
  return {};
}

size_t size_of(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].size; }

std::string shape_text(std::span<const int64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

int64_t TensorView::elements() const {
  int64_t out = 1;
  for (const int64_t size : shape) out *= size;
  return out;
}

// The file's bytes in memory; unmapped when the last user goes.
class SafetensorsFile::Mapping {
 public:
  static Result<std::shared_ptr<const Mapping>> of(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return at(path, std::strerror(errno));
    struct stat info = {};
    const bool readable = ::fstat(fd, &info) == 0;
    if (!readable || !S_ISREG(info.st_mode)) {
      ::close(fd);
      return at(path, "is no regular file");
    }
    const auto size = static_cast<size_t>(info.st_size);
    void* address = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : nullptr;
    ::close(fd);
    if (address == MAP_FAILED) return at(path, std::strerror(errno));
    return std::shared_ptr<const Mapping>(std::make_shared<Mapping>(address, size));
  }

  Mapping(void* address, size_t size) : address_(address), size_(size) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (address_ != nullptr) ::munmap(address_, size_);
  }

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), size_}; }

 private:
  void* address_;
  size_t size_;
};

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
  Result<std::shared_ptr<const Mapping>> mapping = Mapping::of(path);
  if (!mapping) return mapping.error();
  const std::span<const std::byte> bytes = (*mapping)->bytes();
  if (bytes.size() < kLengthBytes) return at(path, "is no safetensors file: shorter than the length of a header");
  const uint64_t length = little_endian(bytes.data());
  if (length > kLongestHeader || length > bytes.size() - kLengthBytes) {
    return at(path, fmt::format("is no safetensors file, or is truncated: a header of {} bytes in a file of {}", length,
                                bytes.size()));
  }
  const auto* text = reinterpret_cast<const char*>(bytes.data() + kLengthBytes);
  const Json header = Json::parse(text, text + length, nullptr, false);
  if (!header.is_object()) return at(path, "its header is no JSON object");

  SafetensorsFile out;
  out.path_ = path;
  out.mapping_ = std::move(*mapping);
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + length);
  const EntryReader entries(out.path_, data);
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      auto metadata = read_metadata(path, entry);
      if (!metadata) return metadata.error();
      out.metadata_ = std::move(*metadata);
      continue;
    }
    Result<TensorView> tensor = entries.read(name, entry);
    if (!tensor) return tensor.error();
    out.tensors_.push_back(std::move(*tensor));
  }

  // Those of no bytes come first where they share an offset, or they would seem to overlap.
  const auto place = [](const TensorView& t) { return std::pair(t.bytes.data(), t.bytes.size()); };
  std::sort(out.tensors_.begin(), out.tensors_.end(),
            [&](const TensorView& a, const TensorView& b) { return place(a) < place(b); });
  const std::byte* end = data.data();
  for (const TensorView& tensor : out.tensors_) {
    if (tensor.bytes.data() != end) {
      return entries.wrong(tensor.name, tensor.bytes.data() < end ? "its bytes overlap those of another tensor"
                                                                  : "the bytes before its own belong to no tensor");
    }
    end += tensor.bytes.size();
  }
  const auto behind = static_cast<size_t>(data.data() + data.size() - end);
  if (behind != 0) return at(path, fmt::format("the last {} bytes belong to no tensor", behind));
  return out;
}

Result<void> write_safetensors(const std::string& path, std::span<const TensorView> tensors,
                               const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const TensorView& tensor : tensors) {
    header[tensor.name] = {{"dtype", name_of(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // tensors start aligned
  std::array<char, kLengthBytes> length{};
  for (size_t i = 0; i < kLengthBytes; ++i) length[i] = static_cast<char>(text.size() >> (8 * i) & 0xff);

  Result<ReplacedFile> file = ReplacedFile::create(path);
  if (!file) return file.error();
  file->write({length.data(), length.size()});
  file->write(text);
  for (const TensorView& tensor : tensors) {
    file->write({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
  }
  return file->commit();
}

}  // namespace wend::weights
