// `wend score --json`. Its shape is an interface that other programs rely on: keys are only ever added.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "compiler/driver/capability.h"
#include "compiler/driver/score_report.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isnan(value) ? Json(nullptr) : Json(value == 0 ? 0.0 : value); }

Json metrics_json(const ProgramInfo& info, const GroupReport& group, const ScoreReport& report) {
  Json metrics = Json::object();
  for (size_t m = 0; m < info.metrics.size(); ++m) {
    const MetricInfo& metric = info.metrics[m];
    const Estimate& estimate = group.metrics[m];
    const double scale = metric.percent ? 100.0 : 1.0;
    Json entry = {{"value", number(scale * estimate.value)},
                  {"low", number(scale * estimate.low)},
                  {"high", number(scale * estimate.high)},
                  {"n", estimate.n}};
    if (!estimate.valid()) entry["reason"] = absence_reason(info, metric, estimate, report);
    metrics[metric.name] = std::move(entry);
  }
  return metrics;
}

Json reward_json(const RewardInfo& info, const RewardReport& reward) {
  Json terms = Json::object(), partial_terms = Json::object();
  for (size_t k = 0; k < info.terms.size(); ++k) {
    const std::string name = info.terms[k].full_name();
    terms[name] = number(reward.terms[k]);
    partial_terms[name] = {{"mean", number(reward.partial_terms[k])}, {"n", reward.partial_terms_n[k]}};
  }
  return {
      {"mean", number(reward.mean.value)},
      {"low", number(reward.mean.low)},
      {"high", number(reward.mean.high)},
      {"n", reward.mean.n},
      {"terms", std::move(terms)},
      {"partial", {{"mean", number(reward.partial_mean)}, {"n", reward.partial}, {"terms", std::move(partial_terms)}}},
      {"absent", reward.absent}};
}

Json rewards_json(const ProgramInfo& info, const GroupReport& group) {
  Json rewards = Json::object();
  for (size_t r = 0; r < info.rewards.size(); ++r) {
    rewards[info.rewards[r].name] = reward_json(info.rewards[r], group.rewards[r]);
  }
  return rewards;
}

Json statuses_json(const ProgramInfo& info, const ScoreReport& report) {
  Json statuses = {{"ok", report.ok}, {"partial", report.partial}, {"absent", report.absent}};
  for (const auto& [key, n] : report.judges) {
    statuses[fmt::format("judge.{}.{}", info.judges[key.first].name, to_string(key.second))] = n;
  }
  return statuses;
}

Json skipped_json(const ReadReport& read) {
  Json skipped = Json::array();
  for (const ReadIssue& issue : read.issues) {
    if (issue.warning) continue;
    skipped.push_back({{"file", issue.file},
                       {"record", issue.record},
                       {"line", issue.line},
                       {"key", issue.key},
                       {"cause", issue.cause}});
  }
  return skipped;
}

}  // namespace

std::string score_json(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read) {
  Json json = {{"trajectories", report.all.dialogues},
               {"skipped", read.skipped},
               {"turns", report.turns},
               {"calls", report.calls},
               {"metrics", metrics_json(info, report.all, report)},
               {"rewards", rewards_json(info, report.all)},
               {"statuses", statuses_json(info, report)}};
  Json families = Json::object();
  for (const auto& [name, group] : report.families) {
    families[name] = {{"trajectories", group.dialogues},
                      {"metrics", metrics_json(info, group, report)},
                      {"rewards", rewards_json(info, group)}};
  }
  json["families"] = std::move(families);
  json["skipped_records"] = skipped_json(read);
  json["warnings"] = read.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wend::driver
