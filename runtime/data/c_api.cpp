// include/wend/data.h over Reader.
#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "runtime/data/bind.h"
#include "runtime/data/reader.h"
#include "runtime/include/wend/data.h"

struct wend_reader {
  wend::Reader reader;
  wend::Batch batch;
};

namespace {

void Put(const std::string& text, char* out, size_t size) {
  if (!out || size == 0) return;
  const size_t n = std::min(text.size(), size - 1);
  std::memcpy(out, text.data(), n);
  out[n] = '\0';
}

std::string text(const char* text) { return text ? text : ""; }

wend::Result<wend::ReadOptions> Options(const wend_read_options* given) {
  wend::ReadOptions options;
  if (!given) return options;
  if (given->format) {
    const auto format = wend::format_of(given->format);
    if (!format) return format.error();
    options.format = *format;
  }
  options.tools = text(given->tools);
  options.answers = text(given->answers);
  options.results = text(given->results);
  options.strict = given->strict != 0;
  options.play_gold = given->play_gold != 0;
  if (given->batch_bytes) options.batch_bytes = given->batch_bytes;
  return options;
}

}  // namespace

extern "C" {

wend_reader* wend_reader_open(const char* const* paths, size_t n_paths, const wend_read_options* options, char* error,
                              size_t error_size) {
  const auto read_options = Options(options);
  if (!read_options) {
    Put(read_options.error().message, error, error_size);
    return nullptr;
  }
  auto reader = wend::Reader::Open(std::vector<std::string>(paths, paths + n_paths), *read_options);
  if (!reader) {
    Put(reader.error().message, error, error_size);
    return nullptr;
  }
  return new wend_reader{std::move(*reader), {}};
}

int wend_reader_next(wend_reader* reader, const wend_batch** batch, char* error, size_t error_size) {
  const auto more = reader->reader.Next(reader->batch);
  if (!more) {
    Put(more.error().message, error, error_size);
    return -1;
  }
  *batch = reader->batch.view();
  return *more ? 1 : 0;
}

void wend_reader_bind(wend_reader* reader, const wend_literal* literals, uint32_t n_literals, uint32_t* rows) {
  wend::bind(reader->batch, {literals, n_literals}, rows);
  reader->batch.view();
}

uint64_t wend_reader_records(const wend_reader* reader) { return reader->reader.report().records; }
uint64_t wend_reader_skipped(const wend_reader* reader) { return reader->reader.report().skipped; }
size_t wend_reader_issues(const wend_reader* reader) { return reader->reader.report().issues.size(); }

int wend_reader_issue(const wend_reader* reader, size_t i, char* text, size_t text_size) {
  const auto& issues = reader->reader.report().issues;
  if (i >= issues.size()) return 0;
  Put(issues[i].text(), text, text_size);
  return 1;
}

void wend_reader_close(wend_reader* reader) { delete reader; }

}  // extern "C"
