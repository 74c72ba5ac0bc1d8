// Rewards of stored dialogues under many settings of params.
//
// Each dialogue is read and prepared once; a setting costs one pass over what was prepared. Only where a setting
// changes a structural param (a bool or an enum) is the preparation repeated, once for each combination of those.
#ifndef WEND_COMPILER_DRIVER_TUNING_H_
#define WEND_COMPILER_DRIVER_TUNING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/driver/bound_batch.h"
#include "runtime/data/batch.h"
#include "runtime/program.h"

namespace wend::driver {

struct SettingResult {
  double mean = 0;
  std::optional<double> rank_correlation;  // Spearman, with the base setting; none where one of the two is constant
};

struct Moved {
  std::string id;
  double base = 0, low = 0, high = 0;          // total under the base setting, and the extremes over all settings
  uint32_t low_setting = 0, high_setting = 0;  // where they occur (the first)
};

struct TuneResult {
  double base_mean = 0;
  std::vector<SettingResult> settings;
  std::vector<Moved> moved;  // by dialogue, in the order of the data
};

// Dialogues held in memory, bound to a program.
class StoredDialogues {
 public:
  StoredDialogues(const Program& program, std::vector<std::unique_ptr<Batch>> batches);

  // Looks only at the dialogues whose reward is complete under `params`; where none is, at those with any term.
  void choose(std::span<const double> params, uint32_t reward, unsigned threads);
  size_t chosen() const { return chosen_.size(); }
  uint64_t left_out() const { return left_out_; }
  bool partial() const { return partial_; }

  TuneResult tune(std::span<const double> base, const std::vector<std::vector<double>>& settings, uint32_t reward,
                  unsigned threads, const std::function<void(uint64_t done)>& progress);

 private:
  // Dialogues [begin, end) of a batch: what one thread scores at a time. Threads share memo, never dialogues.
  struct Part {
    uint32_t batch, begin, end;
    size_t first;  // number of its first dialogue
  };

  void prepare(std::span<const double> params, unsigned threads);
  void score(const Part& part, std::span<const double> params, uint32_t reward, double* totals,
             std::vector<uint32_t>& statuses) const;
  // totals[s * all + dialogue] for some settings.
  void score_block(std::span<const uint32_t> block, const std::vector<std::vector<double>>& settings, uint32_t reward,
                   unsigned threads, std::vector<double>& totals) const;
  std::vector<double> chosen_totals(const double* all) const;

  const Program& program_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<std::unique_ptr<BoundBatch>> bound_;
  std::vector<double> bound_params_;  // what the bindings point at
  std::vector<Part> parts_;
  size_t all_ = 0;
  std::vector<uint32_t> chosen_;  // dialogues, ascending
  uint64_t left_out_ = 0;
  bool partial_ = false;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_TUNING_H_
