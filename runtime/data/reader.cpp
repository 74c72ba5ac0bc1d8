#include "runtime/data/reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wend {
namespace {

constexpr size_t kHead = size_t{1} << 16;      // bytes looked at to recognise a file, ...
constexpr size_t kLongHead = size_t{1} << 22;  // ... and if those say too little
constexpr size_t kWindow = size_t{1} << 18;    // bytes indexed at once
constexpr size_t kReadStep = size_t{1} << 18;
constexpr const char* kTooLong = "the record is longer than 64 MiB";
constexpr const char* kShorter = "the file became shorter while it was read";

Result<size_t> read_fully(ByteSource& source, char* out, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    const auto read = source.read(out + filled, size - filled);
    if (!read) return read.error();
    if (*read == 0) break;
    filled += *read;
  }
  return filled;
}

std::unique_ptr<RecordReader> make_reader(Format format, BatchBuilder& builder, const Sidecar& sidecar) {
  switch (format) {
    case Format::kTau:
      return make_tau_reader(builder, sidecar);
    case Format::kTau2:
      return make_tau2_reader(builder, sidecar);
    case Format::kBfcl:
      return make_bfcl_reader(builder, sidecar);
    default:
      return make_native_reader(builder, sidecar);
  }
}

// Reads the records of a chunk one after the other.
class ChunkParser {
 public:
  ChunkParser(const RecordChunk& chunk, const ReadOptions& options, Batch& batch, ReadReport& report)
      : chunk_(chunk), options_(options), report_(report), builder_(batch) {
    builder_.set_play_gold(options.play_gold);
    records_ = make_reader(chunk.format, builder_, *chunk.sidecar);
  }

  Result<void> Run() {
    for (size_t first = 0; first < chunk_.records.size();) {
      const size_t begin = chunk_.records[first].begin;
      size_t last = first + 1;
      while (last < chunk_.records.size() && chunk_.records[last].end - begin <= kWindow) ++last;
      if (const auto read = Window(first, last); !read) return read;
      first = last;
    }
    report_.shared_pools += builder_.shared_pools();
    return {};
  }

 private:
  std::string_view text(size_t begin, size_t end) const { return {chunk_.bytes.data() + begin, end - begin}; }

  // Records [first, last) by one index, or, if something is wrong in there, by one each.
  Result<void> Window(size_t first, size_t last) {
    const size_t begin = chunk_.records[first].begin, end = chunk_.records[last - 1].end;
    const char* cause = end - begin > kMaxRecordBytes ? kTooLong : index_.build(text(begin, end));
    if (!cause) {
      const uint32_t* from = index_.tokens();
      for (size_t i = first; i < last; ++i) {
        const RecordRange& range = chunk_.records[i];
        const Cursor cursor =
            index_.Part(static_cast<uint32_t>(range.begin - begin), static_cast<uint32_t>(range.end - begin), from);
        if (const auto read = record(i, cursor); !read) return read;
      }
      return {};
    }
    if (last - first == 1) return bad(first, "", cause);
    for (size_t i = first; i < last; ++i) {
      if (const auto read = Window(i, i + 1); !read) return read;
    }
    return {};
  }

  Result<void> record(size_t i, const Cursor& cursor) {
    const RecordPlace place{chunk_.first_record + i, chunk_.records[i].line};
    const uint64_t warnings = builder_.warnings();
    builder_.begin_trace();
    if (!records_->read(cursor, place)) {
      builder_.abandon_trace();
      return bad(i, builder_.error().key, builder_.error().cause);
    }
    if (!builder_.finish_trace()) return bad(i, builder_.error().key, builder_.error().cause);
    ++report_.records;
    if (builder_.warnings() != warnings) warn(i, "", "a key stands twice in an object; the last one counts");
    if (const wend_span turns = builder_.unreached(); turns.end != 0 && !options_.play_gold) {
      warn(i, "gold.turns", unreached(turns.begin, turns.end - 1));
    }
    return {};
  }

  static std::string unreached(uint32_t first, uint32_t last) {
    const std::string range = std::to_string(first) + (first == last ? "" : " to " + std::to_string(last));
    return "the dialogue ends before turn" + std::string(first == last ? " " : "s ") + range + "; what gold says of " +
           (first == last ? "it" : "them") + " is not evaluated";
  }

  void warn(size_t i, std::string key, std::string cause) {
    ReadIssue issue = issue_of(i, std::move(key), std::move(cause));
    issue.warning = true;
    report_.add(std::move(issue));
  }

  ReadIssue issue_of(size_t i, std::string key, std::string cause) const {
    const RecordRange& range = chunk_.records[i];
    return {chunk_.sidecar->file, chunk_.first_record + i, range.line, chunk_.offset + range.begin,
            std::move(key),       std::move(cause),        false};
  }

  Result<void> bad(size_t i, std::string key, std::string cause) {
    ReadIssue issue = issue_of(i, std::move(key), std::move(cause));
    if (options_.strict) return Error{issue.text()};
    ++report_.records;
    ++report_.skipped;
    report_.add(std::move(issue));
    return {};
  }

  const RecordChunk& chunk_;
  const ReadOptions& options_;
  ReadReport& report_;
  BatchBuilder builder_;
  std::unique_ptr<RecordReader> records_;
  JsonIndex index_;
};

}  // namespace

std::string ReadIssue::text() const {
  std::string text = file;
  if (line) text += ":" + std::to_string(line);
  text += ": ";
  if (record) text += "record " + std::to_string(record);
  if (record && !line) text += " (at byte " + std::to_string(offset) + ")";
  if (record) text += ": ";
  if (!key.empty()) text += "`" + key + "`: ";
  return text + cause;
}

void ReadReport::add(ReadIssue issue) {
  if (issue.warning) ++warnings;
  if (issues.size() < kMaxIssues) issues.push_back(std::move(issue));
}

void ReadReport::merge(const ReadReport& other) {
  records += other.records;
  skipped += other.skipped;
  warnings += other.warnings;
  shared_pools += other.shared_pools;
  bytes += other.bytes;
  const size_t room = kMaxIssues - std::min(kMaxIssues, issues.size());
  issues.insert(issues.end(), other.issues.begin(),
                other.issues.begin() + static_cast<std::ptrdiff_t>(std::min(room, other.issues.size())));
}

void ChunkBytes::resize(size_t size) {
  if (size > capacity_) {
    const size_t capacity = std::max(size, 2 * capacity_);
    std::unique_ptr<char[]> grown(new char[capacity + kJsonPadding]);
    if (size_) std::memcpy(grown.get(), data_.get(), size_);
    data_ = std::move(grown);
    capacity_ = capacity;
  }
  size_ = size;
  if (data_) std::memset(data_.get() + size, 0, kJsonPadding);
}

namespace {

// A file of tools that cannot be read is one error, not one for each record.
Result<void> check_tools(const std::string& path, const std::string& json) {
  Batch batch;
  BatchBuilder builder(batch);
  Sidecar sidecar;
  sidecar.tools_json = json;
  builder.begin_trace();
  if (use_shared_pool(builder, sidecar)) return {};
  return Error{path + ": `" + builder.error().key + "`: " + builder.error().cause + "; a JSON list of tools is needed"};
}

// What the file's first `size` bytes say; `head` holds those read before.
Result<Layout> read_head(ByteSource& source, size_t size, Format wanted, std::string& head) {
  const size_t before = head.size();
  head.resize(size);
  const auto read = read_fully(source, head.data() + before, size - before);
  if (!read) return read.error();
  head.resize(before + *read);
  return recognise_format(source.path(), head, head.size() < size, wanted);
}

}  // namespace

Result<Reader> Reader::Open(std::vector<std::string> paths, ReadOptions options) {
  Reader reader(std::move(paths), std::move(options));
  if (!reader.options_.tools.empty()) {
    auto tools = read_whole_file(reader.options_.tools);
    if (!tools) return tools.error();
    const size_t end = tools->find_last_not_of(" \t\r\n");
    reader.tools_json_ = tools->substr(0, end + 1);
    if (const auto checked = check_tools(reader.options_.tools, reader.tools_json_); !checked) return checked.error();
  }
  std::string head;
  for (const std::string& path : reader.paths_) {
    auto source = ByteSource::Open(path);
    if (!source) return source.error();
    auto layout = read_head(*source, kHead, reader.options_.format, head);
    if (!layout && head.size() == kHead) layout = read_head(*source, kLongHead, reader.options_.format, head);
    if (!layout) return layout.error();
    reader.layouts_.push_back(*layout);
    reader.sizes_.push_back(source->size());
    std::unique_ptr<ByteSource> pipe;
    if (!source->regular()) {
      if (layout->format == Format::kTau2 && layout->framing != Framing::kList) {
        return Error{path + ": results of tau2-bench are read twice and cannot come from a pipe; name a file"};
      }
      source->unread(head);
      pipe = std::make_unique<ByteSource>(std::move(*source));
    }
    reader.pipes_.push_back(std::move(pipe));
    head.clear();
  }
  return reader;
}

Result<void> Reader::open_file() {
  const std::string& path = paths_[next_file_];
  Layout layout = layouts_[next_file_];
  auto sidecar = load_sidecar(path, options_, layout);
  if (!sidecar) return sidecar.error();
  (*sidecar)->file = path;
  (*sidecar)->tools_json = tools_json_;
  std::unique_ptr<ByteSource> source = std::move(pipes_[next_file_]);
  if (!source) {
    auto file = ByteSource::Open(path);
    if (!file) return file.error();
    source = std::make_unique<ByteSource>(std::move(*file));
  }
  for (size_t left = layout.start; left > 0;) {
    char skipped[4096];
    const auto n = source->read(skipped, std::min(left, sizeof skipped));
    if (!n) return n.error();
    if (*n == 0) return Error{path + ": " + kShorter};
    left -= *n;
  }
  source_ = std::move(source);
  sidecar_ = std::move(*sidecar);
  splitter_ = std::make_unique<Splitter>(layout.framing);
  layouts_[next_file_] = layout;
  carry_.clear();
  offset_ = layout.start;
  records_ = 0;
  ++next_file_;
  return {};
}

Result<bool> Reader::next_chunk(RecordChunk& chunk) {
  while (true) {
    if (!source_) {
      if (next_file_ == paths_.size()) return false;
      if (const auto opened = open_file(); !opened) return opened.error();
    }
    const auto filled = fill(chunk);
    if (!filled || *filled) return filled;
  }
}

// Reads until the chunk has about batch_bytes of whole records; false if there is nothing to hand out.
Result<bool> Reader::fill(RecordChunk& chunk) {
  chunk.sidecar = sidecar_;
  chunk.format = layouts_[next_file_ - 1].format;
  chunk.records.clear();
  chunk.report = {};
  chunk.bytes.resize(carry_.size());
  if (!carry_.empty()) std::memcpy(chunk.bytes.data(), carry_.data(), carry_.size());
  chunk.offset = offset_;
  bool last = false;
  size_t target =
      std::max(options_.batch_bytes, carry_.size() + std::clamp<size_t>(options_.batch_bytes, 1, kReadStep));
  while (true) {
    const size_t before = chunk.bytes.size();
    chunk.bytes.resize(target);
    const auto read = read_fully(*source_, chunk.bytes.data() + before, target - before);
    if (!read) return read.error();
    chunk.bytes.resize(before + *read);
    last = before + *read < target;
    splitter_->scan(chunk.bytes.data(), chunk.bytes.size(), last, chunk.records);
    if (last || splitter_->closed() || !chunk.records.empty()) break;
    if (!splitter_->dropping() && chunk.bytes.size() - splitter_->keep() > kMaxRecordBytes) {
      ReadIssue issue{sidecar_->file, ++records_, 0, offset_ + splitter_->keep(), "", kTooLong, false};
      if (options_.strict) return Error{issue.text()};
      chunk.report.add(std::move(issue));
      ++chunk.report.records;
      ++chunk.report.skipped;
      splitter_->drop_record();
      splitter_->scan(chunk.bytes.data(), chunk.bytes.size(), false, chunk.records);
    }
    if (splitter_->dropping()) {  // nothing of it is needed
      offset_ += splitter_->keep();
      chunk.offset = offset_;
      splitter_->cut();
      chunk.bytes.resize(0);
    }
    const size_t size = chunk.bytes.size();
    target = size + std::max(kReadStep, std::min(size, kMaxRecordBytes - std::min(size, kMaxRecordBytes)));
  }
  chunk.first_record = records_ + 1;
  records_ += chunk.records.size();
  chunk.report.bytes = splitter_->keep();
  carry_.assign(chunk.bytes.data() + splitter_->keep(), chunk.bytes.size() - splitter_->keep());
  offset_ += splitter_->keep();
  splitter_->cut();
  if (last && source_->taken() < sizes_[next_file_ - 1]) {
    chunk.report.add({sidecar_->file, 0, 0, offset_, "", kShorter, true});
  }
  if (last || splitter_->closed()) finish_file(chunk);
  return !chunk.records.empty() || chunk.report.records > 0 || !chunk.report.issues.empty();
}

void Reader::finish_file(RecordChunk& chunk) {
  if (layouts_[next_file_ - 1].framing == Framing::kList && !splitter_->closed()) {
    ReadIssue issue{sidecar_->file, 0, 0, offset_, "", "the list of records never ends: is the file cut off?", true};
    chunk.report.add(std::move(issue));
  }
  // Behind the list there may be the rest of the object around it (tau2-bench), otherwise nothing.
  const bool rest = carry_.find_first_not_of(" \t\r\n") != std::string::npos;
  if (splitter_->closed() && rest && layouts_[next_file_ - 1].format != Format::kTau2) {
    ReadIssue issue{sidecar_->file, 0, 0, offset_, "", "what follows the list of records was not read", true};
    chunk.report.add(std::move(issue));
  }
  source_.reset();
}

Result<void> Reader::parse(const RecordChunk& chunk, Batch& batch, ReadReport& report) const {
  batch.clear();
  report.merge(chunk.report);
  return ChunkParser(chunk, options_, batch, report).Run();
}

Result<bool> Reader::Next(Batch& batch) {
  auto more = next_chunk(chunk_);
  if (!more || !*more) return more;
  if (const auto read = parse(chunk_, batch, report_); !read) return read.error();
  return true;
}

Result<void> read_memory(std::string_view text, const Layout& layout, std::shared_ptr<const Sidecar> sidecar,
                         const ReadOptions& options, Batch& batch, ReadReport& report) {
  RecordChunk chunk;
  chunk.sidecar = std::move(sidecar);
  chunk.format = layout.format;
  const std::string_view records = text.substr(std::min(layout.start, text.size()));
  chunk.offset = text.size() - records.size();
  chunk.bytes.resize(records.size());
  if (!records.empty()) std::memcpy(chunk.bytes.data(), records.data(), records.size());
  Splitter(layout.framing).scan(chunk.bytes.data(), records.size(), true, chunk.records);
  chunk.report.bytes = text.size();
  batch.clear();
  report.merge(chunk.report);
  return ChunkParser(chunk, options, batch, report).Run();
}

Result<void> read_lines(std::string_view text, const ReadOptions& options, Batch& batch, ReadReport& report) {
  auto sidecar = std::make_shared<Sidecar>();
  sidecar->file = "text";
  return read_memory(text, {Format::kNative, Framing::kLines, 0}, std::move(sidecar), options, batch, report);
}

}  // namespace wend
