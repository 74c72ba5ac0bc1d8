#include "compiler/driver/tally.h"

#include <cmath>
#include <limits>

namespace wend::driver {
namespace {

enum class Completeness { complete, partial, absent };

Completeness completeness(const RewardInfo& info, const RewardScores& scores, size_t i) {
  if (scores.status[i] == WEND_STATUS_OK) return Completeness::complete;
  const size_t k = info.terms.size();
  return nothing_evaluable(info, std::span(scores.terms).subspan(i * k, k)) ? Completeness::absent
                                                                            : Completeness::partial;
}

}  // namespace

Tally::Tally(const Program& program)
    : program_(program), signals_(program.info()), totals_(program.info().rewards.size()), all_(new_group()) {}

Tally::Group Tally::new_group() const {
  Group group;
  for (const RewardInfo& reward : program_.info().rewards) {
    const size_t k = reward.terms.size();
    RewardSums sums;
    sums.terms.resize(k);
    sums.partial_terms.resize(k);
    sums.partial_terms_n.resize(k);
    group.rewards.push_back(std::move(sums));
  }
  return group;
}

void Tally::add_dialogue(const BatchScores& scores, size_t i, Group& group) {
  ++group.dialogues;
  for (size_t r = 0; r < group.rewards.size(); ++r) {
    const RewardInfo& info = program_.info().rewards[r];
    const RewardScores& reward = scores.rewards[r];
    const double* terms = reward.terms.data() + i * info.terms.size();
    RewardSums& sums = group.rewards[r];
    switch (completeness(info, reward, i)) {
      case Completeness::complete:
        ++sums.complete;
        for (size_t k = 0; k < info.terms.size(); ++k) sums.terms[k] += terms[k];
        break;
      case Completeness::partial:
        ++sums.partial;
        sums.partial_total += reward.totals[i];
        for (size_t k = 0; k < info.terms.size(); ++k) {
          if (std::isnan(terms[k])) continue;
          sums.partial_terms[k] += terms[k];
          ++sums.partial_terms_n[k];
        }
        break;
      case Completeness::absent:
        ++sums.absent;
        break;
    }
  }
}

void Tally::add(const BatchScores& scores) {
  const std::vector<RewardInfo>& rewards = program_.info().rewards;
  std::vector<double> totals(rewards.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    add_dialogue(scores, i, all_);
    if (!scores.families[i].empty()) {
      Family& family = families_.try_emplace(scores.families[i], Family{new_group(), {}}).first->second;
      family.rows.push_back(static_cast<uint32_t>(signals_.rows() + i));
      add_dialogue(scores, i, family.group);
    }
    size_t complete = 0, absent = 0;
    for (size_t r = 0; r < rewards.size(); ++r) {
      const Completeness state = completeness(rewards[r], scores.rewards[r], i);
      complete += state == Completeness::complete;
      absent += state == Completeness::absent;
      totals[r] =
          state == Completeness::complete ? scores.rewards[r].totals[i] : std::numeric_limits<double>::quiet_NaN();
    }
    totals_.add(totals);
    ++(complete == rewards.size() ? counts_.ok : absent == rewards.size() ? counts_.absent : counts_.partial);
    counts_.responding += (scores.caps[i] & WEND_CAP_RESPONSE) != 0;
    counts_.offered |= scores.caps[i];
    counts_.always &= scores.caps[i];
  }
  signals_.add(scores.signals, scores.caps);
  counts_.turns += scores.turns;
  counts_.calls += scores.calls;
  for (const auto& [key, n] : scores.judges) counts_.judges[key] += n;
}

GroupReport Tally::report(const Group& group, const SignalTable& signals, const MeanTable& totals,
                          std::span<const double> params, const BootstrapOptions& options) const {
  GroupReport report;
  report.dialogues = group.dialogues;
  auto evaluate = [&](const double* sums, double* value, uint8_t* valid) {
    program_.metrics(params.data(), sums, value, valid);
  };
  report.metrics = estimate_metrics(signals, evaluate, options);
  const std::vector<Estimate> means = estimate_means(totals, options);
  for (size_t r = 0; r < group.rewards.size(); ++r) {
    const RewardSums& sums = group.rewards[r];
    RewardReport reward;
    reward.mean = means[r];
    for (double sum : sums.terms) reward.terms.push_back(sum / static_cast<double>(sums.complete));
    reward.partial = sums.partial;
    reward.partial_mean = sums.partial_total / static_cast<double>(sums.partial);
    for (size_t k = 0; k < sums.partial_terms.size(); ++k) {
      reward.partial_terms.push_back(sums.partial_terms[k] / static_cast<double>(sums.partial_terms_n[k]));
    }
    reward.partial_terms_n = sums.partial_terms_n;
    reward.absent = sums.absent;
    report.rewards.push_back(std::move(reward));
  }
  return report;
}

ScoreReport Tally::report(std::span<const double> params, const BootstrapOptions& options) const {
  ScoreReport result = counts_;
  result.all = report(all_, signals_, totals_, params, options);
  for (const auto& [name, family] : families_) {
    result.families[name] =
        report(family.group, signals_.select(family.rows), totals_.select(family.rows), params, options);
  }
  return result;
}

}  // namespace wend::driver
