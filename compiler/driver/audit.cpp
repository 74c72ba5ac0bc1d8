// `wend audit`: what agents earn that do nothing of use.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/native_batch.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/policies.h"
#include "compiler/driver/scorer.h"
#include "compiler/driver/spec.h"
#include "compiler/driver/table.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

struct AuditOptions {
  SpecOptions spec;
  DataOptions data;
  bool json = false;
};

constexpr const char* kFooter = R"(
Example:
  wend audit specs/iacm/reward.wend runs.jsonl
Each dialogue is played again by policies that a reward should not favour, and by gold, which does what is expected;
`recorded` is the agent in the data. A warning says where a degenerate policy earns more than gold, or more than the
recorded agent does on average. Means are over the dialogues that have a response and say which calls
are expected; questions without responses are played by all but `recorded`.
Exit codes: 0 fine, warnings or not, 1 the input had errors, 2 usage.)";

// The policies in the order of the report: gold, recorded, then the degenerate ones.
constexpr size_t kGold = 0, kRecorded = 1, kFirstDegenerate = 2;

size_t policy_count() { return kFirstDegenerate + degenerate_policies().size(); }

std::string_view policy_name(size_t policy) {
  if (policy == kGold) return "gold";
  if (policy == kRecorded) return "recorded";
  return degenerate_policies()[policy - kFirstDegenerate].name;
}

std::string_view policy_says(size_t policy) {
  if (policy == kGold) return gold_policy().what;
  if (policy == kRecorded) return "the agent in the data";
  return degenerate_policies()[policy - kFirstDegenerate].what;
}

// Sums of rewards over dialogues that were scored completely, or of which the same terms could be scored.
struct Sums {
  double total = 0;
  uint64_t n = 0, partial = 0;

  double mean() const { return n > 0 ? total / static_cast<double>(n) : std::nan(""); }
};

// What each policy's dialogues scored: a batch of the same dialogues for each.
struct Scored {
  std::vector<BatchScores> by_policy;
  std::string bug;  // not empty: a rewritten dialogue could not be read back
};

class Auditor {
 public:
  explicit Auditor(const Spec& spec) : scorer_(*spec.program, spec.params, nullptr) {}

  Scored score(Batch& batch) {
    Scored scored{std::vector<BatchScores>(policy_count()), ""};
    // Rewriting reads only what a batch holds before it is bound.
    std::vector<std::string> texts(policy_count());
    for (size_t policy = 0; policy < texts.size(); ++policy) {
      if (policy != kRecorded) texts[policy] = played(batch, act(policy));
    }
    for (size_t policy = 0; policy < texts.size(); ++policy) {
      if (policy == kRecorded) {
        scored.by_policy[policy] = scorer_.score(batch);
        continue;
      }
      Result<void> read = read_native(texts[policy], copy_);
      if (read) {
        scored.by_policy[policy] = scorer_.score(copy_);
      } else {
        scored.bug = fmt::format("policy `{}`: {}", policy_name(policy), read.error().message);
      }
    }
    return scored;
  }

 private:
  static const Policy& act(size_t policy) {
    return policy == kGold ? gold_policy().act : degenerate_policies()[policy - kFirstDegenerate].act;
  }

  static std::string played(const Batch& batch, const Policy& policy) {
    std::string lines;
    for (uint32_t trace = 0; trace < batch.traces(); ++trace) lines += dialogue_json(batch, trace, policy) + "\n";
    return lines;
  }

  Scorer scorer_;
  Batch copy_;
};

class Totals {
 public:
  explicit Totals(const ProgramInfo& info)
      : info_(info), sums_(info.rewards.size(), std::vector<Sums>(policy_count())), silent_(sums_) {}

  void add(const std::vector<BatchScores>& scored) {
    dialogues_ += scored[kRecorded].size();
    for (const uint32_t caps : scored[kRecorded].caps) {
      unplaced_ += (caps & WEND_CAP_GOLD) != 0 && (caps & WEND_CAP_GOLD_TURNS) == 0;
    }
    for (size_t r = 0; r < info_.rewards.size(); ++r) {
      for (size_t i = 0; i < scored[kRecorded].size(); ++i) add(scored, r, i);
    }
  }

  // Of the dialogues with a response, on which all policies can be compared; where there are none, of the others.
  const Sums& sums(size_t reward, size_t policy) const {
    return (sums_[reward][kGold].n > 0 ? sums_ : silent_)[reward][policy];
  }
  uint64_t dialogues() const { return dialogues_; }
  // Those whose gold does not say in which turn a call belongs.
  uint64_t unplaced() const { return unplaced_; }

 private:
  void add(const std::vector<BatchScores>& scored, size_t r, size_t i) {
    // Without expected calls, what gold would do is not known.
    if ((scored[kGold].caps[i] & WEND_CAP_GOLD) == 0) return;
    const bool responds = (scored[kRecorded].caps[i] & WEND_CAP_RESPONSE) != 0;
    for (size_t policy = 0; policy < scored.size(); ++policy) {
      const RewardScores& reward = scored[policy].rewards[r];
      const size_t k = info_.rewards[r].terms.size();
      if (nothing_evaluable(info_.rewards[r], std::span(reward.terms).subspan(i * k, k))) continue;
      Sums& sums = (responds ? sums_ : silent_)[r][policy];
      sums.total += reward.totals[i];
      sums.partial += reward.status[i] != WEND_STATUS_OK;
      ++sums.n;
    }
  }

  const ProgramInfo& info_;
  // By reward and policy: over dialogues with a response, and over those without.
  std::vector<std::vector<Sums>> sums_, silent_;
  uint64_t dialogues_ = 0, unplaced_ = 0;
};

// One line for each way in which a reward favours a degenerate policy.
std::vector<std::string> warnings(const ProgramInfo& info, const Totals& totals) {
  std::vector<std::string> lines;
  for (size_t r = 0; r < info.rewards.size(); ++r) {
    for (size_t policy = kFirstDegenerate; policy < policy_count(); ++policy) {
      const double mean = totals.sums(r, policy).mean();
      for (size_t other : {kGold, kRecorded}) {
        const double rival = totals.sums(r, other).mean();
        if (std::isnan(mean) || std::isnan(rival) || !(mean > rival)) continue;
        lines.push_back(fmt::format("{}: `{}` earns {:+.4f}, more than {} ({:+.4f})", info.rewards[r].name,
                                    policy_name(policy), mean, other == kGold ? "gold" : "the recorded agent", rival));
      }
    }
  }
  return lines;
}

std::string audit_table(const ProgramInfo& info, const Totals& totals) {
  std::string out = fmt::format("{} dialogues\n", totals.dialogues());
  for (size_t r = 0; r < info.rewards.size(); ++r) {
    out += fmt::format("\nreward {}\n", info.rewards[r].name);
    Table table({false, true, true, false});
    table.row({"policy", "mean", "n", ""});
    for (size_t policy = 0; policy < policy_count(); ++policy) {
      const Sums& sums = totals.sums(r, policy);
      table.row({std::string(policy_name(policy)), sums.n > 0 ? fmt::format("{:+.4f}", sums.mean()) : "-",
                 std::to_string(sums.n), std::string(policy_says(policy))});
    }
    out += table.text("  ");
    if (totals.sums(r, kGold).partial > 0) {
      out +=
          fmt::format("  {} of the dialogues lack something that a term needs: their totals are of the other terms\n",
                      totals.sums(r, kGold).partial);
    }
  }
  if (totals.unplaced() > 0) {
    out += fmt::format(
        "\nIn {} of the dialogues gold does not say in which turn a call belongs. There `gold`, `call everything` and\n"
        "`keep stale value` make all calls in the first turn, and no tool answers them: a value that only an answer\n"
        "could give counts as made up. Their means are too low then, and `gold` is no measure of a good agent.\n",
        totals.unplaced());
  }
  return out;
}

std::string audit_json(const ProgramInfo& info, const Totals& totals, const std::vector<std::string>& lines) {
  Json rewards = Json::object();
  for (size_t r = 0; r < info.rewards.size(); ++r) {
    Json policies = Json::object();
    for (size_t policy = 0; policy < policy_count(); ++policy) {
      const Sums& sums = totals.sums(r, policy);
      policies[std::string(policy_name(policy))] = {
          {"mean", sums.n > 0 ? Json(sums.mean()) : Json(nullptr)}, {"n", sums.n}, {"partial", sums.partial}};
    }
    rewards[info.rewards[r].name] = std::move(policies);
  }
  const Json json = {{"trajectories", totals.dialogues()},
                     {"gold_without_turns", totals.unplaced()},
                     {"rewards", rewards},
                     {"warnings", lines}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Exit audit(const AuditOptions& options) {
  Made<Spec> spec = open_spec(options.spec);
  if (!spec) return spec.code();
  const ProgramInfo& info = spec->program->info();
  if (info.rewards.empty()) return complain(Exit::input, options.spec.spec + " declares no reward");
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);

  Totals totals(info);
  std::string bug;
  auto make_work = [&]() -> Work<Scored> {
    auto auditor = std::make_shared<Auditor>(*spec);
    return [auditor](std::unique_ptr<Batch>& batch) { return auditor->score(*batch); };
  };
  Pipeline<Scored> pipeline(*reader, make_work, [&](Scored&& scored) {
    bug = scored.bug;
    if (bug.empty()) totals.add(scored.by_policy);
    return bug.empty();
  });
  Progress progress("auditing", data_size(options.data), options.data.quiet);
  pipeline.on_progress([&](uint64_t bytes) { progress.update(bytes); });
  Result<void> done = pipeline.run(thread_count(options.data.threads));
  if (!done) return complain(Exit::input, done.error().message);
  if (!bug.empty()) {
    return complain(Exit::ours,
                    fmt::format("a rewritten dialogue could not be read back: {}; please report this", bug));
  }
  print_issues(pipeline.report());

  const std::vector<std::string> lines = warnings(info, totals);
  if (options.json) {
    write_out(audit_json(info, totals, lines));
  } else {
    show(audit_table(info, totals));
    flush_out();
    for (const std::string& line : lines) warn(line);
  }
  if (!options.data.quiet && totals.dialogues() > 0 && totals.sums(0, kGold).n == 0) {
    note("no dialogue says which calls are expected, so policies cannot be compared with gold");
  }
  return Exit::fine;
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App& command = *app.add_subcommand("audit", "What degenerate policies earn");
  declare(command, options->spec);
  declare(command, options->data);
  command.add_flag("--json", options->json, "One JSON object: {trajectories, gold_without_turns, rewards, warnings}");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return audit(*options); }; });
}

}  // namespace wend::driver
