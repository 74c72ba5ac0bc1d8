#include "compiler/driver/data.h"

#include <fmt/format.h>

#include <filesystem>

#include "compiler/driver/console.h"

namespace wend::driver {
namespace {

constexpr size_t kShownIssues = 20;

}  // namespace

Result<Reader> open_data(const DataOptions& options) {
  ReadOptions how;
  Result<Format> format = format_of(options.format);
  if (!format) return format.error();
  how.format = *format;
  how.strict = options.strict;
  how.play_gold = options.play == "gold";
  how.tools = options.tools;
  how.answers = options.answers;
  how.results = options.results;
  return Reader::Open(options.files, how);
}

uint64_t data_size(const DataOptions& options) {
  uint64_t total = 0;
  for (const std::string& file : options.files) {
    std::error_code failure;
    const uintmax_t size = std::filesystem::file_size(file, failure);
    if (failure) return 0;
    total += size;
  }
  return total;
}

void print_issues(const ReadReport& report) {
  size_t shown = 0;
  for (const ReadIssue& issue : report.issues) {
    if (shown++ == kShownIssues) break;
    if (issue.warning) {
      warn(issue.text());
    } else {
      warn("skipped " + issue.text());
    }
  }
  const uint64_t met = report.skipped + report.warnings;
  if (met > kShownIssues && report.issues.size() > kShownIssues) {
    note(fmt::format("... and {} more; {} of {} records were skipped", met - kShownIssues, report.skipped,
                     report.records));
  }
}

}  // namespace wend::driver
