#include "compiler/driver/judging.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/driver/console.h"

namespace wend::driver {
namespace {

constexpr uint32_t kNoLimit = 0xFFFFFFFFu;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// The questions that one dialogue may cost: what the most demanding reward of the program allows itself.
uint32_t judge_limit(const ProgramInfo& info) {
  uint32_t limit = 0;
  for (const RewardInfo& reward : info.rewards) limit = std::max(limit, reward.judge_limit);
  return info.rewards.empty() ? kNoLimit : limit;
}

// The template with {0}, {1}... replaced. What is filled in is not looked at again.
std::string filled(const std::string& text, const std::vector<std::string>& holes) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    if (end != std::string::npos && end > i + 1 &&
        std::all_of(text.begin() + i + 1, text.begin() + end, [](char c) { return c >= '0' && c <= '9'; })) {
      const size_t hole = std::stoul(text.substr(i + 1, std::min<size_t>(end - i - 1, 9)));
      if (hole < holes.size()) {
        result += holes[hole];
        i = end + 1;
        continue;
      }
    }
    result += text[i++];
  }
  return result;
}

}  // namespace

Result<HttpJudge> open_http_judge(const JudgeOptions& options) {
  if (options.url.empty()) return Error{"--judge http needs --judge-url"};
  if (options.model.empty()) return Error{"--judge http needs --judge-model"};
  HttpJudgeOptions http;
  http.endpoint = options.url;
  http.model = options.model;
  http.api_key_env = options.key_env;
  http.max_tokens = options.max_tokens;
  http.concurrency = options.concurrency;
  http.requests_per_second = options.rate;
  http.timeout = milliseconds(options.timeout);
  http.max_attempts = options.attempts;
  http.backoff = milliseconds(options.backoff);
  http.max_calls_per_sample = 0;  // those who ask count them
  http.cache_path = options.cache;
  return HttpJudge::open(std::move(http));
}

Judging::Judging(HttpJudge judge, const Program& program, const plan::Plan& plan)
    : judge_(std::move(judge)),
      program_(program),
      plan_(plan),
      interpreter_(plan),
      limit_(judge_limit(program.info())),
      scores_(program.info().judges.size()) {}

Result<std::unique_ptr<Judging>> Judging::open(const JudgeOptions& options, const Program& program,
                                               const plan::Plan& plan) {
  for (const JudgeInfo& judge : program.info().judges) {
    if (judge.prompt.empty()) {
      return Error{fmt::format("judge `{}` has only a rule: a model cannot be asked without a prompt", judge.name)};
    }
  }
  Result<HttpJudge> http = open_http_judge(options);
  if (!http) return http.error();
  return std::unique_ptr<Judging>(new Judging(std::move(*http), program, plan));
}

void Judging::apply_rules(BoundBatch& bound, uint32_t begin, uint32_t end) {
  bound.prepare(begin, end);
  // Judges whose rule reads a number param are computed with the signals.
  std::vector<double> unused((end - begin) * program_.info().signals.size());
  program_.signals(bound.context(), begin, end, unused.data());
  const Columns& columns = bound.batch().columns();
  const uint32_t turns = bound.batch().rows(WEND_TABLE_turn);
  const uint32_t first = columns.trace_turns[begin].begin, last = columns.trace_turns[end - 1].end;
  for (size_t k = 0; k < scores_.size(); ++k) {
    scores_[k].assign(turns, 0.0);
    const std::string name = "judge." + program_.info().judges[k].name;
    for (size_t i = 0; i < plan_.columns.size(); ++i) {
      if (plan_.columns[i].name != name) continue;
      const double* memo = static_cast<const double*>(bound.context().memo[i]);
      std::copy(memo + first, memo + last, scores_[k].begin() + first);
    }
  }
}

std::vector<Judging::Asked> Judging::needed(const BoundBatch& bound, uint32_t begin, uint32_t end,
                                            JudgeCounts& counts) {
  const uint32_t turns = bound.batch().rows(WEND_TABLE_turn);
  const uint32_t judges = static_cast<uint32_t>(scores_.size());
  std::vector<uint8_t> asks(size_t{judges} * turns);
  program_.requests(bound.context(), begin, end, asks.data());
  const Columns& columns = bound.batch().columns();
  std::vector<Asked> asked;
  for (uint32_t trace = begin; trace < end; ++trace) {
    uint32_t questions = 0;
    for (uint32_t turn = columns.trace_turns[trace].begin; turn < columns.trace_turns[trace].end; ++turn) {
      for (uint32_t k = 0; k < judges; ++k) {
        if (asks[size_t{k} * turns + turn] == 0) continue;
        if (questions++ < limit_) {
          asked.push_back({k, turn, trace});
        } else {
          ++counts[{k, JudgeStatus::over_budget}];
        }
      }
    }
  }
  return asked;
}

JudgeRequest Judging::request(const BoundBatch& bound, const Asked& asked) const {
  const JudgeInfo& info = program_.info().judges[asked.judge];
  const std::vector<std::string> holes = interpreter_.holes(bound.context(), asked.judge, asked.turn);
  return {info.name, filled(info.prompt, holes), filled(info.system, holes), ""};
}

void Judging::apply(BoundBatch& bound, const Asked& asked, const JudgeReply& reply) {
  scores_[asked.judge][asked.turn] = reply.ok() ? reply.score : 0.0;
  if (!reply.ok()) bound.clear_caps(asked.trace, static_cast<uint32_t>(WEND_CAP_JUDGE0) << asked.judge);
}

void Judging::judge(BoundBatch& bound, uint32_t begin, uint32_t end, JudgeCounts& counts) {
  if (begin == end || scores_.empty()) return;
  apply_rules(bound, begin, end);
  const std::vector<Asked> asked = needed(bound, begin, end, counts);
  std::vector<JudgeRequest> requests;
  for (const Asked& one : asked) requests.push_back(request(bound, one));
  const std::vector<JudgeReply> replies = judge_.ask(requests);
  for (size_t i = 0; i < asked.size(); ++i) {
    ++counts[{asked[i].judge, replies[i].status}];
    apply(bound, asked[i], replies[i]);
  }
  for (uint32_t k = 0; k < scores_.size(); ++k) bound.set_judged(k, scores_[k].data());
}

Made<std::unique_ptr<Judging>> open_judging(const JudgeOptions& options, const Spec& spec) {
  if (options.judge == "rule") return std::unique_ptr<Judging>();
  if (!spec.plan) return Failure{complain(Exit::usage, "--judge http needs the spec itself, not a shared object")};
  Result<std::unique_ptr<Judging>> judging = Judging::open(options, *spec.program, *spec.plan);
  if (!judging) return Failure{complain(Exit::usage, judging.error().message)};
  return std::move(*judging);
}

}  // namespace wend::driver
