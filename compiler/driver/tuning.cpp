#include "compiler/driver/tuning.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/driver/parallel.h"
#include "compiler/driver/ranking.h"
#include "compiler/driver/scorer.h"

namespace wend::driver {
namespace {

constexpr uint32_t kDialoguesPerPart = 256;
constexpr size_t kBlockBytes = size_t{32} << 20;  // totals of a block of settings

double mean(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return values.empty() ? std::nan("") : sum / static_cast<double>(values.size());
}

// The values of the structural params: settings that share them share a preparation.
std::vector<double> structure(const ProgramInfo& info, const std::vector<double>& params) {
  std::vector<double> values;
  for (size_t i = 0; i < params.size(); ++i) {
    if (info.params[i].structural) values.push_back(params[i]);
  }
  return values;
}

void note_extremes(Moved& moved, double total, uint32_t setting) {
  auto better = [&](double a, double b, uint32_t other) { return a < b || (a == b && setting < other); };
  if (better(total, moved.low, moved.low_setting)) moved.low = total, moved.low_setting = setting;
  if (better(-total, -moved.high, moved.high_setting)) moved.high = total, moved.high_setting = setting;
}

}  // namespace

StoredDialogues::StoredDialogues(const Program& program, std::vector<std::unique_ptr<Batch>> batches)
    : program_(program), batches_(std::move(batches)), bound_params_(program.defaults()) {
  for (size_t b = 0; b < batches_.size(); ++b) {
    bound_.push_back(std::make_unique<BoundBatch>(program_));
    bound_.back()->bind(*batches_[b], bound_params_);
    const uint32_t n = batches_[b]->traces();
    for (uint32_t begin = 0; begin < n; begin += kDialoguesPerPart) {
      parts_.push_back({static_cast<uint32_t>(b), begin, std::min(n, begin + kDialoguesPerPart), all_ + begin});
    }
    all_ += n;
  }
}

void StoredDialogues::prepare(std::span<const double> params, unsigned threads) {
  std::copy(params.begin(), params.end(), bound_params_.begin());
  parallel_for(parts_.size(), threads,
               [&] { return [&](size_t i) { bound_[parts_[i].batch]->prepare(parts_[i].begin, parts_[i].end); }; });
}

void StoredDialogues::score(const Part& part, std::span<const double> params, uint32_t reward, double* totals,
                            std::vector<uint32_t>& statuses) const {
  wend_context context = bound_[part.batch]->context();
  context.params = params.data();
  statuses.resize(part.end - part.begin);
  program_.reward(context, reward, part.begin, part.end, totals + part.first, nullptr, statuses.data());
}

void StoredDialogues::choose(std::span<const double> params, uint32_t reward, unsigned threads) {
  prepare(params, threads);
  const RewardInfo& info = program_.info().rewards[reward];
  const size_t k = info.terms.size();
  std::vector<uint32_t> complete, in_part;
  for (const Part& part : parts_) {
    const uint32_t n = part.end - part.begin;
    std::vector<double> totals(n), terms(n * k);
    std::vector<uint32_t> statuses(n);
    wend_context context = bound_[part.batch]->context();
    context.params = params.data();
    program_.reward(context, reward, part.begin, part.end, totals.data(), terms.data(), statuses.data());
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t dialogue = static_cast<uint32_t>(part.first + i);
      if (statuses[i] == WEND_STATUS_OK) {
        complete.push_back(dialogue);
      } else if (!nothing_evaluable(info, std::span(terms).subspan(i * k, k))) {
        in_part.push_back(dialogue);
      }
    }
  }
  partial_ = complete.empty() && !in_part.empty();
  chosen_ = partial_ ? std::move(in_part) : std::move(complete);
  left_out_ = all_ - chosen_.size();
}

void StoredDialogues::score_block(std::span<const uint32_t> block, const std::vector<std::vector<double>>& settings,
                                  uint32_t reward, unsigned threads, std::vector<double>& totals) const {
  totals.resize(block.size() * all_);
  parallel_for(parts_.size(), threads, [&] {
    return [&, statuses = std::vector<uint32_t>()](size_t i) mutable {
      for (size_t s = 0; s < block.size(); ++s) {
        score(parts_[i], settings[block[s]], reward, totals.data() + s * all_, statuses);
      }
    };
  });
}

std::vector<double> StoredDialogues::chosen_totals(const double* all) const {
  std::vector<double> totals;
  totals.reserve(chosen_.size());
  for (uint32_t dialogue : chosen_) totals.push_back(all[dialogue]);
  return totals;
}

TuneResult StoredDialogues::tune(std::span<const double> base, const std::vector<std::vector<double>>& settings,
                                 uint32_t reward, unsigned threads, const std::function<void(uint64_t)>& progress) {
  TuneResult result;
  result.settings.resize(settings.size());
  prepare(base, threads);
  std::vector<double> totals;
  const std::vector<std::vector<double>> only_base = {{base.begin(), base.end()}};
  const uint32_t first = 0;
  score_block(std::span(&first, 1), only_base, reward, threads, totals);
  const std::vector<double> base_totals = chosen_totals(totals.data());
  result.base_mean = mean(base_totals);
  std::vector<double> base_ranks;
  Ranker().rank(base_totals, base_ranks);

  for (const Part& part : parts_) {
    for (uint32_t trace = part.begin; trace < part.end; ++trace) {
      const size_t dialogue = part.first + (trace - part.begin);
      if (result.moved.size() == chosen_.size() || chosen_[result.moved.size()] != dialogue) continue;
      const double total = base_totals[result.moved.size()];
      // kNone stands for the base setting, which comes last among equals.
      result.moved.push_back(
          {std::string(batches_[part.batch]->trace_id(trace)), total, total, total, WEND_NONE, WEND_NONE});
    }
  }

  std::map<std::vector<double>, std::vector<uint32_t>> groups;
  for (uint32_t s = 0; s < settings.size(); ++s) groups[structure(program_.info(), settings[s])].push_back(s);
  const size_t block_size = std::max<size_t>(1, kBlockBytes / sizeof(double) / std::max<size_t>(1, all_));
  uint64_t done = 0;
  for (const auto& [values, members] : groups) {
    prepare(settings[members.front()], threads);
    for (size_t begin = 0; begin < members.size(); begin += block_size) {
      const auto block = std::span(members).subspan(begin, std::min(block_size, members.size() - begin));
      score_block(block, settings, reward, threads, totals);
      parallel_for(block.size(), threads, [&] {
        return [&, ranker = Ranker(), ranks = std::vector<double>()](size_t s) mutable {
          const std::vector<double> one = chosen_totals(totals.data() + s * all_);
          ranker.rank(one, ranks);
          result.settings[block[s]] = {mean(one), rank_correlation(base_ranks, ranks)};
        };
      });
      parallel_for(chosen_.size(), threads, [&] {
        return [&](size_t i) {
          for (size_t s = 0; s < block.size(); ++s) {
            note_extremes(result.moved[i], totals[s * all_ + chosen_[i]], block[s]);
          }
        };
      });
      progress(done += block.size());
    }
  }
  return result;
}

}  // namespace wend::driver
