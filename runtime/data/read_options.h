// What a caller may choose about reading, and what reading reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/data/recognise.h"

namespace wend {

struct ReadOptions {
  Format format = Format::kAuto;
  bool strict = false;     // a bad record is an error instead of being skipped
  bool play_gold = false;  // replace the agent's messages by the gold calls
  std::string tools;       // file with a pool for records that bring none
  std::string answers;     // bfcl: file or folder of possible answers; default: possible_answer/ beside the file
  std::string results;     // bfcl: file or folder of a model's calls, played back as the response
  size_t batch_bytes = size_t{1} << 19;  // text that goes into one batch (at least one record does)
};

inline constexpr size_t kMaxRecordBytes = size_t{64} << 20;
inline constexpr size_t kMaxIssues = 1000;  // issues kept; all are counted

// A record that was skipped, or a warning about one that was read.
struct ReadIssue {
  std::string file;
  uint64_t record = 0;  // from 1; 0: the file as a whole
  uint64_t line = 0;    // from 1; 0 where records are not lines
  uint64_t offset = 0;  // byte in the file
  std::string key, cause;
  bool warning = false;

  // One line: "FILE:LINE: record 3: `messages[2].role`: unknown role `robot`".
  std::string text() const;

  friend bool operator==(const ReadIssue&, const ReadIssue&) = default;
};

struct ReadReport {
  uint64_t records = 0;  // seen, read or not
  uint64_t skipped = 0;
  uint64_t warnings = 0;
  uint64_t shared_pools = 0;  // records whose candidate tools are those of ReadOptions::tools
  uint64_t bytes = 0;
  std::vector<ReadIssue> issues;

  void add(ReadIssue issue);
  void merge(const ReadReport& other);
};

}  // namespace wend
