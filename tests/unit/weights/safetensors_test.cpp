// What a file of tensors may claim, and what comes back of what is written.
#include "trainer/weights/safetensors.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "trainer/weights/checkpoint.h"

namespace wend::weights {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Files : public ::testing::Test {
 protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  // A file of the header and `bytes` bytes behind it; `length` is what it claims of the header.
  std::string file(const std::string& header, size_t bytes, std::optional<uint64_t> length = {}) {
    const uint64_t said = length.value_or(header.size());
    std::ofstream out(at("x.safetensors"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(&said), 8);
    out << header << std::string(bytes, '\1');
    return at("x.safetensors");
  }
  std::string error(const std::string& header, size_t bytes, std::optional<uint64_t> length = {}) {
    const Result<SafetensorsFile> opened = SafetensorsFile::open(file(header, bytes, length));
    return opened ? "no error" : opened.error().message;
  }

  fs::path folder_ = fs::temp_directory_path() / ("wend-weights-" + std::to_string(::getpid()));
};

TensorView view(const std::string& name, const std::vector<float>& values, std::vector<int64_t> shape) {
  return {name, DType::f32, std::move(shape), std::as_bytes(std::span(values))};
}

TEST_F(Files, WhatIsWrittenIsRead) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {7}, none;
  const std::vector<TensorView> tensors = {view("a", a, {2, 3}), view("none", none, {0, 4}), view("b", b, {})};
  ASSERT_TRUE(write_safetensors(at("x.safetensors"), tensors, {{"format", "pt"}}));
  const Result<SafetensorsFile> read = SafetensorsFile::open(at("x.safetensors"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->metadata().at("format"), "pt");
  ASSERT_EQ(read->tensors().size(), 3u);
  for (const TensorView& tensor : read->tensors()) {
    const auto expected =
        std::find_if(tensors.begin(), tensors.end(), [&](const TensorView& t) { return t.name == tensor.name; });
    ASSERT_NE(expected, tensors.end());
    EXPECT_EQ(tensor.shape, expected->shape);
    ASSERT_EQ(tensor.bytes.size(), expected->bytes.size());
    EXPECT_TRUE(std::equal(tensor.bytes.begin(), tensor.bytes.end(), expected->bytes.begin()));
  }
}

TEST_F(Files, LiesAreErrors) {
  EXPECT_THAT(error(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4), HasSubstr("(truncated?)"));
  EXPECT_THAT(error(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8),
              HasSubstr("tensor `a`: shape [3] of F32 takes 12 bytes, its offsets hold 8"));
  EXPECT_THAT(error(R"({"a":{"dtype":"F99","shape":[2],"data_offsets":[0,8]}})", 8), HasSubstr("dtype \"F99\""));
  EXPECT_THAT(error(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0),
              HasSubstr("no list of sizes"));
  EXPECT_THAT(error(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8), HasSubstr("no list of sizes"));
  EXPECT_THAT(error(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8), HasSubstr("outside"));
  EXPECT_THAT(error(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},
                        "b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
                    6),
              HasSubstr("overlap"));
  EXPECT_THAT(error(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})", 6), HasSubstr("belong to no tensor"));
  EXPECT_THAT(error(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 6), HasSubstr("last 2 bytes"));
  EXPECT_THAT(error("{}", 0, 1000), HasSubstr("a header of 1000 bytes in a file of 10"));
  EXPECT_THAT(error("{}", 0, ~uint64_t{0}), HasSubstr("header"));
  EXPECT_THAT(error("[1]", 0), HasSubstr("no JSON object"));
  EXPECT_THAT(error(R"({"a":7})", 0), HasSubstr("no object"));
  EXPECT_THAT(SafetensorsFile::open(at("nowhere")).error().message, HasSubstr("No such file"));
  EXPECT_THAT(SafetensorsFile::open(folder_.string()).error().message, HasSubstr("no regular file"));
}

TEST_F(Files, AFailedWriteLeavesWhatWasThere) {
  const std::vector<float> one = {1};
  const std::vector<TensorView> tensors = {view("a", one, {1})};
  ASSERT_TRUE(write_safetensors(at("x.safetensors"), tensors));
  const Result<void> written = write_safetensors(at("nowhere/x.safetensors"), tensors);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("cannot be written"));
  if (fs::exists("/dev/full")) {
    fs::create_symlink("/dev/full", at("full.safetensors.part-" + std::to_string(::getpid())));
    EXPECT_THAT(write_safetensors(at("full.safetensors"), tensors).error().message, HasSubstr("No space left"));
    EXPECT_FALSE(fs::exists(at("full.safetensors")));
  }
  EXPECT_TRUE(SafetensorsFile::open(at("x.safetensors")));
}

TEST_F(Files, ShardsAreOneCheckpoint) {
  const std::vector<float> a(10, 1), b(10, 2), c(10, 3);
  const std::vector<TensorView> tensors = {view("a", a, {10}), view("b", b, {10}), view("c", c, {10})};
  ASSERT_TRUE(write_checkpoint(folder_.string(), tensors, 80));
  EXPECT_TRUE(fs::exists(at("model-00002-of-00002.safetensors")));
  const Result<Checkpoint> read = Checkpoint::open(folder_.string());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->tensors().size(), 3u);

  fs::remove(at("model-00002-of-00002.safetensors"));
  EXPECT_THAT(Checkpoint::open(folder_.string()).error().message,
              HasSubstr("its shard model-00002-of-00002.safetensors is missing"));
  std::ofstream(at("model.safetensors.index.json")) << R"({"weight_map":{"a":"../../etc/x"}})";
  EXPECT_THAT(Checkpoint::open(folder_.string()).error().message, HasSubstr("no name of a file beside it"));
  std::ofstream(at("model.safetensors.index.json")) << R"({"weight_map":{"z":"model-00001-of-00002.safetensors"}})";
  EXPECT_THAT(Checkpoint::open(folder_.string()).error().message, HasSubstr("tensor `z` is not in"));
  ASSERT_TRUE(write_checkpoint(folder_.string(), tensors));
  EXPECT_FALSE(fs::exists(at("model.safetensors.index.json"))) << "an index of shards that are gone would be believed";
  EXPECT_FALSE(fs::exists(at("model-00001-of-00002.safetensors")));
  EXPECT_THAT(Checkpoint::open(at("nowhere")).error().message, HasSubstr("is no folder"));
}

}  // namespace
}  // namespace wend::weights
