// Any bytes as a file of dialogues: no crash, batches that hold together, and the same again on a second reading. The
// first byte says which reader gets the rest and whether gold is played; in BFCL's case the part behind a zero byte is
// the answer to every question.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/data/reader.h"
#include "runtime/data/readers/bfcl.h"
#include "runtime/data/readers/tau2.h"
#include "tests/unit/data_check.h"

namespace {

using namespace wend;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

std::shared_ptr<const Sidecar> sidecar_for(Format format, std::string_view extra) {
  const std::string function =
      R"({"name": "f", "parameters": {"type": "dict", "properties": {"a": {"type": "integer"}, "b": {"type": "any"}}}})";
  if (format == Format::kBfcl) {
    auto sidecar = std::make_shared<BfclSidecar>();
    for (const char* id : {"q", "a", "0"}) {
      sidecar->answers[id] = extra;
      sidecar->results[id] = extra;
    }
    sidecar->services["S"] = {{"f", function, {"a", "b"}}};
    return sidecar;
  }
  if (format == Format::kTau2) {
    auto sidecar = std::make_shared<Tau2Sidecar>();
    sidecar->actions["t"] = extra;
    return sidecar;
  }
  auto sidecar = std::make_shared<Sidecar>();
  if (format == Format::kTau) sidecar->tools_json = "[" + function + "]";
  return sidecar;
}

std::vector<std::string> pieces(std::string_view text, Framing framing, size_t step) {
  Splitter splitter(framing);
  std::vector<std::string> out;
  std::string held;
  for (size_t at = 0; at < text.size();) {
    const size_t n = std::min(step, text.size() - at);
    held += text.substr(at, n);
    at += n;
    std::vector<RecordRange> ranges;
    splitter.scan(held.data(), held.size(), at == text.size(), ranges);
    for (const RecordRange& range : ranges) out.push_back(held.substr(range.begin, range.end - range.begin));
    held.erase(0, splitter.keep());
    splitter.cut();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint8_t choice = data[0];
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr Format kFormats[] = {Format::kNative, Format::kTau, Format::kTau2, Format::kBfcl};
  Layout layout;
  layout.format = kFormats[choice & 3];
  layout.framing = static_cast<Framing>((choice >> 2) % 3);
  ReadOptions options;
  options.play_gold = choice & 0x10;
  std::string_view extra = "[]";
  if (layout.format != Format::kNative) {
    if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
      extra = text.substr(zero + 1);
      text = text.substr(0, zero);
    }
  }
  if (choice & 0x20) {
    const auto seen = recognise_format("fuzz", text, true, layout.format);
    if (seen) layout = *seen;
  }
  const auto sidecar = sidecar_for(layout.format, extra);
  Batch batch;
  ReadReport first, second;
  require(read_memory(text, layout, sidecar, options, batch, first).ok(), "an error without strict");
  const std::string wrong = testing::check_batch(batch);
  require(wrong.empty(), wrong);
  require(first.records == first.skipped + batch.traces(), "records were lost");
  const RowCounts rows = batch.columns().rows;
  require(read_memory(text, layout, sidecar, options, batch, second).ok(), "an error the second time");
  require(batch.columns().rows == rows && first.issues == second.issues, "read differently the second time");
  const std::string_view records = text.substr(std::min(layout.start, text.size()));
  if (records.size() < 2000) {
    const auto whole = pieces(records, layout.framing, SIZE_MAX);
    require(pieces(records, layout.framing, 1) == whole && pieces(records, layout.framing, 7) == whole,
            "split differently");
  }
  return 0;
}
