// What the Berkeley Function-Calling Leaderboard keeps beside its questions: answers, function descriptions, results.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/data/read_options.h"
#include "runtime/data/readers/record_reader.h"
#include "runtime/result.h"

namespace wend {

struct BfclFunction {
  std::string name;
  std::string json;                 // its description, a tool
  std::vector<std::string> params;  // in the order in which they are passed
};

struct BfclSidecar : Sidecar {
  std::unordered_map<std::string, std::string> answers;                 // by question id: the JSON of ground_truth
  std::unordered_map<std::string, std::string> results;                 // by question id: the JSON of result
  std::unordered_map<std::string, std::vector<BfclFunction>> services;  // by class: what it offers
};

// Finds possible_answer/NAME and multi_turn_func_doc/ beside the questions (or where the options say).
Result<std::unique_ptr<Sidecar>> load_bfcl(const std::string& path, const ReadOptions& options);

}  // namespace wend
