#include "runtime/data/parallel.h"

#include <gtest/gtest.h>

#include <set>

#include "data_testing.h"
#include "runtime/data/bind.h"
#include "runtime/include/wend/data.h"

namespace wend {
namespace {

using testing::TempDir;

// Files with many small batches, some of their records bad.
struct Files {
  Files() {
    for (int file = 0; file < 3; ++file) {
      std::string lines;
      for (int i = 0; i < 400; ++i) {
        if (i % 37 == 5) {
          lines += "{\"messages\": 7}\n";
          continue;
        }
        lines +=
            R"({"id":")" + std::to_string(file) + "-" + std::to_string(i) +
            R"(","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"n":)" +
            std::to_string(i) + "}}}]}]}\n";
      }
      paths.push_back(dir.File(std::to_string(file) + ".jsonl", lines));
    }
  }
  TempDir dir;
  std::vector<std::string> paths;
};

ReadOptions small_batches() {
  ReadOptions options;
  options.batch_bytes = 2000;
  return options;
}

struct Outcome {
  std::string dump, error;
  std::vector<std::string> issues;
  std::set<unsigned> workers;
  size_t batches = 0;
  ReadReport report;
};

Outcome read(const Files& files, unsigned threads, const ReadOptions& options = small_batches(),
             size_t fail_at = SIZE_MAX) {
  Outcome outcome;
  auto reader = Reader::Open(files.paths, options);
  if (!reader) {
    outcome.error = reader.error().message;
    return outcome;
  }
  const auto report =
      for_each_batch(*reader, threads, [&](Batch& batch, size_t index, unsigned worker) -> Result<InOrder> {
        if (index == fail_at) return Error{"told to fail"};
        return InOrder([&outcome, dump = testing::dump(batch), index, worker] {
          EXPECT_EQ(index, outcome.batches);
          ++outcome.batches;
          outcome.dump += dump;
          outcome.workers.insert(worker);
        });
      });
  if (!report) {
    outcome.error = report.error().message;
    return outcome;
  }
  outcome.report = *report;
  for (const ReadIssue& issue : report->issues) outcome.issues.push_back(issue.text());
  return outcome;
}

TEST(Parallel, TheSameForAnyNumberOfThreads) {
  const Files files;
  const Outcome one = read(files, 1);
  EXPECT_GT(one.batches, 50u);
  EXPECT_EQ(one.report.records, 1200u);
  EXPECT_EQ(one.report.skipped, 33u);
  for (const unsigned threads : {2u, 3u, 8u}) {
    for (int round = 0; round < 5; ++round) {
      const Outcome many = read(files, threads);
      EXPECT_EQ(many.dump, one.dump);
      EXPECT_EQ(many.issues, one.issues);
      EXPECT_EQ(many.batches, one.batches);
      EXPECT_EQ(many.report.bytes, one.report.bytes);
    }
  }
}

TEST(Parallel, TheSameAsReadingOneByOne) {
  const Files files;
  const testing::ReadFiles plain(files.paths, small_batches());
  EXPECT_EQ(read(files, 4).dump, plain.dump);
}

TEST(Parallel, TheSizeOfBatchesChangesNothing) {
  const Files files;
  ReadOptions large;
  EXPECT_EQ(read(files, 1, large).dump, read(files, 1).dump);
}

TEST(Parallel, StopsAtTheFirstError) {
  const Files files;
  for (const unsigned threads : {1u, 4u}) {
    const Outcome failed = read(files, threads, small_batches(), 7);
    EXPECT_EQ(failed.error, "told to fail");
    EXPECT_EQ(failed.batches, 7u);
    ReadOptions strict = small_batches();
    strict.strict = true;
    EXPECT_NE(read(files, threads, strict).error.find("0.jsonl:6: record 6: `messages`"), std::string::npos);
  }
}

TEST(Bind, LiteralsBecomeRows) {
  const testing::ReadText read(testing::with_arguments(R"({"name": "New York", "n": 1.0})"));
  Batch& batch = const_cast<Batch&>(read.batch);
  const auto bytes = [](std::string_view text) { return wend_bytes{text.data(), text.size()}; };
  const wend_literal literals[] = {{0, bytes("name")},    {0, bytes("not there")},     {1, bytes("\"New York\"")},
                                   {1, bytes("1")},       {2, bytes("\"new  york\"")}, {2, bytes("\"1.0\"")},
                                   {1, bytes("nonsense")}};
  uint32_t rows[7];
  bind(batch, literals, rows);
  const Columns& c = batch.columns();
  const auto arg = [&](std::string_view name) {
    for (uint32_t a = 0; a < c.arg_name.size(); ++a) {
      if (batch.text(c.arg_name[a]) == name) return a;
    }
    return WEND_NONE;
  };
  EXPECT_EQ(rows[0], c.arg_name[arg("name")]);
  EXPECT_EQ(batch.text(rows[1]), "not there");
  EXPECT_EQ(batch.folded(rows[1]), "not there");
  EXPECT_EQ(rows[2], c.arg_value[arg("name")]);
  EXPECT_EQ(rows[3], c.arg_value[arg("n")]);
  EXPECT_EQ(rows[4], c.value_folded[c.arg_value[arg("name")]]);
  EXPECT_EQ(rows[5], c.value_folded[c.arg_value[arg("n")]]);
  EXPECT_EQ(rows[6], WEND_NONE);
}

TEST(CApi, ReadsBindsAndReports) {
  const Files files;
  const char* paths[] = {files.paths[0].c_str(), files.paths[1].c_str()};
  wend_read_options options{};
  options.format = "native";
  options.batch_bytes = 5000;
  char error[200];
  wend_reader* reader = wend_reader_open(paths, 2, &options, error, sizeof error);
  ASSERT_NE(reader, nullptr) << error;
  const wend_batch* batch = nullptr;
  size_t traces = 0;
  int more;
  while ((more = wend_reader_next(reader, &batch, error, sizeof error)) > 0) {
    EXPECT_EQ(batch->version, WEND_BATCH_VERSION);
    EXPECT_EQ(batch->n_columns, static_cast<uint32_t>(WEND_N_COLUMNS));
    const wend_literal literal{0, {"f", 1}};
    uint32_t row = 0;
    wend_reader_bind(reader, &literal, 1, &row);
    const auto* names = static_cast<const uint32_t*>(batch->columns[WEND_COLUMN_call_name]);
    for (uint32_t k = 0; k < batch->rows[WEND_TABLE_call]; ++k) EXPECT_EQ(names[k], row);
    const auto* ids = static_cast<const uint32_t*>(batch->columns[WEND_COLUMN_trace_id]);
    const auto* texts = static_cast<const wend_bytes*>(batch->columns[WEND_COLUMN_text_data]);
    if (traces == 0) {
      EXPECT_EQ(std::string(texts[ids[0]].data, texts[ids[0]].size), "0-0");
    }
    traces += batch->rows[WEND_TABLE_trace];
  }
  EXPECT_EQ(more, 0);
  EXPECT_EQ(traces, 2u * 389);
  EXPECT_EQ(wend_reader_records(reader), 800u);
  EXPECT_EQ(wend_reader_skipped(reader), 22u);
  EXPECT_EQ(wend_reader_issues(reader), 22u);
  char line[16];
  EXPECT_EQ(wend_reader_issue(reader, 0, line, sizeof line), 1);
  EXPECT_EQ(std::string(line).size(), 15u) << "cut to the buffer";
  EXPECT_EQ(wend_reader_issue(reader, 99, line, sizeof line), 0);
  wend_reader_close(reader);
}

TEST(CApi, Errors) {
  char error[200] = "";
  const char* nowhere[] = {"/nowhere.json"};
  EXPECT_EQ(wend_reader_open(nowhere, 1, nullptr, error, sizeof error), nullptr);
  EXPECT_NE(std::string(error).find("/nowhere.json: "), std::string::npos);
  wend_read_options options{};
  options.format = "csv";
  EXPECT_EQ(wend_reader_open(nowhere, 1, &options, error, sizeof error), nullptr);
  EXPECT_NE(std::string(error).find("unknown format"), std::string::npos);
  const Files files;
  const char* paths[] = {files.paths[0].c_str()};
  options.format = nullptr;
  options.strict = 1;
  wend_reader* reader = wend_reader_open(paths, 1, &options, error, sizeof error);
  ASSERT_NE(reader, nullptr);
  const wend_batch* batch = nullptr;
  EXPECT_EQ(wend_reader_next(reader, &batch, error, sizeof error), -1);
  EXPECT_NE(std::string(error).find("record 6"), std::string::npos);
  wend_reader_close(reader);
}

}  // namespace
}  // namespace wend
