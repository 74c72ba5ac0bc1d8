#include "compiler/synth/dialogues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace wend::synth {

namespace {

constexpr size_t kBytesPerToken = 4;
constexpr double kSameCategory = 0.4;  // of the candidates that are not used: about what the dialogue is about
constexpr uint32_t kMostCandidates = 40;

// Of the texts, as `wend data stats` counts them.
size_t bytes_of(const Trace& trace) {
  size_t bytes = trace.system.size();
  for (const uint32_t t : trace.order) {
    bytes += trace.turns[t].user.size();
    for (const Step& step : trace.turns[t].steps) {
      bytes += step.text.size();
      for (const uint32_t c : step.calls) bytes += trace.calls[c].result.size();
    }
  }
  return bytes;
}

// Size of a candidate pool: mean about 12, 90% at most 32, at most 40 (paper, App. D.3).
uint32_t draw_pool_size(Random& random) {
  static constexpr std::array<std::pair<double, double>, 6> kQuantiles = {
      {{0, 2}, {0.3, 5}, {0.6, 8}, {0.8, 14}, {0.9, 32}, {1, 40}}};
  const double u = random.uniform();
  for (size_t i = 1; i < kQuantiles.size(); ++i) {
    const auto [u0, n0] = kQuantiles[i - 1];
    const auto [u1, n1] = kQuantiles[i];
    if (u <= u1) return static_cast<uint32_t>(std::lround(n0 + (n1 - n0) * (u - u0) / (u1 - u0)));
  }
  return kMostCandidates;
}

}  // namespace

void Tally::merge(const Tally& other) {
  tries += other.tries;
  for (const auto& [reason, count] : other.rejected) rejected[reason] += count;
  for (const auto& [place, count] : other.repaired) repaired[place] += count;
}

DialogueMaker::DialogueMaker(const sema::Program& program, const SourceSet& sources, const Maker& maker,
                             const DialogueOptions& options)
    : program_(program),
      maker_(maker),
      options_(options),
      scenarios_(program, sources, maker),
      filters_(program, sources, maker) {}

bool DialogueMaker::make(uint32_t scenario, const tools::Selection& from, std::string_view split, uint64_t number,
                         MadeDialogue& out, Tally& tally) {
  Random random(seed_of(seed_of(options_.seed, split), program_.scenarios[scenario].name, number));
  std::string why;
  for (uint32_t i = 0; i < options_.tries; ++i) {
    ++tally.tries;
    const bool made = scenarios_.make(scenario, from, random, out.trace, why) &&
                      (options_.min_tokens == 0 || lengthen(from, random, out.trace, why)) &&
                      filters_.passes(out.trace, random, tally.repaired, why);
    const bool too_long = made && options_.max_tokens > 0 && bytes_of(out.trace) > options_.max_tokens * kBytesPerToken;
    if (too_long) why = fmt::format("complexity: longer than {} tokens", options_.max_tokens);
    if (!made || too_long) {
      ++tally.rejected[why];
      continue;
    }
    if (options_.level != Level::l0) distract(from, random, out.trace);
    mistype(random, out.trace);
    out.tools = candidates(from, out.trace, random);
    return true;
  }
  return false;
}

// Finished tasks go before, until the dialogue has the length. They share no tool with it.
bool DialogueMaker::lengthen(const tools::Selection& from, Random& random, Trace& trace, std::string& why) {
  std::set<uint32_t> used;
  for (const Call& call : trace.calls) used.insert(call.tool);
  int misses = 0;
  while (bytes_of(trace) < options_.min_tokens * kBytesPerToken) {
    Trace task;
    if (!maker_.make(Base::several_steps, from, random, task, why)) return false;
    const bool known = std::any_of(task.calls.begin(), task.calls.end(), [&](const Call& call) {
      return std::any_of(trace.calls.begin(), trace.calls.end(), [&](const Call& other) {
        return call.tool == other.tool && call.args.size() == other.args.size() &&
               std::equal(call.args.begin(), call.args.end(), other.args.begin(),
                          [](const Arg& a, const Arg& b) { return a.value == b.value; });
      });
    });
    const bool taken =
        std::any_of(task.calls.begin(), task.calls.end(), [&](const Call& call) { return used.contains(call.tool); });
    if (known || taken) {
      if (++misses > 200) {
        why = "complexity: too few tools for so long a dialogue";
        return false;
      }
      continue;
    }
    const auto calls = static_cast<uint32_t>(trace.calls.size());
    std::vector<uint32_t> before;
    for (Call& call : task.calls) {
      for (Need& need : call.needs) {
        need.call += calls;
        need.fed_by += calls;
      }
      call.expected = true;
      trace.calls.push_back(std::move(call));
    }
    for (const uint32_t t : task.order) {
      Turn turn = std::move(task.turns[t]);
      for (Step& step : turn.steps)
        for (uint32_t& call : step.calls) call += calls;
      before.push_back(static_cast<uint32_t>(trace.turns.size()));
      trace.turns.push_back(std::move(turn));
    }
    trace.order.insert(trace.order.begin(), before.begin(), before.end());
  }
  maker_.settle(trace);
  set_goals(trace);
  return true;
}

void DialogueMaker::distract(const tools::Selection& from, Random& random, Trace& trace) const {
  const Talk& talk = maker_.talk();
  const int idle_tasks = options_.level == Level::l3 ? 3 : 0;
  const int small_talk = options_.level == Level::l1 ? 3 : options_.level == Level::l2 ? 8 : 5;
  for (int i = 0; i < idle_tasks + small_talk; ++i) {
    Turn turn;
    turn.kind = Kind::language;
    turn.keeps_goal = true;
    if (i < idle_tasks) {
      const uint32_t tool = from.tools[random.below(static_cast<uint32_t>(from.tools.size()))];
      turn.user = talk.idle_task(maker_.pool().tool(tool).task, random);
      turn.steps.push_back({talk.idle_task_reply(random), {}, false, false});
    } else {
      turn.user = talk.small_talk(random);
      turn.steps.push_back({talk.small_talk_reply(random), {}, false, false});
    }
    // Not between a question and its answer, nor where a request is still open.
    std::vector<uint32_t> fit;
    for (uint32_t p = 0; p <= trace.order.size(); ++p) {
      const bool open = p > 0 && (trace.turns[trace.order[p - 1]].steps.empty() ||
                                  trace.turns[trace.order[p - 1]].steps.back().asks ||
                                  !trace.turns[trace.order[p - 1]].steps.back().calls.empty());
      if (!open && p < trace.order.size()) fit.push_back(p);
    }
    const auto id = static_cast<uint32_t>(trace.turns.size());
    trace.turns.push_back(std::move(turn));
    trace.order.insert(trace.order.begin() + fit[random.below(static_cast<uint32_t>(fit.size()))], id);
  }
}

void DialogueMaker::mistype(Random& random, Trace& trace) const {
  if (options_.typos <= 0) return;
  std::vector<std::string> values;
  for (const uint32_t t : trace.order) {
    Turn& turn = trace.turns[t];
    // Where the intent moves, the words that say so stay as they are.
    if (turn.signal != Signal::none || !random.chance(options_.typos)) continue;
    if (values.empty())
      for (const Call& call : trace.calls)
        for (const Arg& arg : call.args) values.push_back(tools::said(arg.value));
    turn.user = Talk::mistyped(std::move(turn.user), values, random);
  }
}

std::vector<uint32_t> DialogueMaker::candidates(const tools::Selection& from, const Trace& trace,
                                                Random& random) const {
  std::vector<uint32_t> out;
  std::vector<uint32_t> categories;
  const auto add = [&](uint32_t tool) {
    if (std::find(out.begin(), out.end(), tool) != out.end()) return false;
    out.push_back(tool);
    return true;
  };
  for (const uint32_t c : trace.calls_in_order()) {
    add(trace.calls[c].tool);
    categories.push_back(from.category[trace.calls[c].tool]);
  }
  for (const uint32_t tool : trace.named) {
    add(tool);
    categories.push_back(from.category[tool]);
  }
  const auto used = static_cast<uint32_t>(out.size());
  if (trace.withheld_call != kNone) add(trace.calls[trace.withheld_call].tool);
  const uint32_t size =
      std::min<uint32_t>(std::max(draw_pool_size(random), used), static_cast<uint32_t>(from.tools.size()));
  for (uint32_t tries = 0; out.size() < size && tries < 20 * kMostCandidates; ++tries) {
    const std::vector<uint32_t>& of =
        !categories.empty() && random.chance(kSameCategory)
            ? from.by_category[categories[random.below(static_cast<uint32_t>(categories.size()))]]
            : from.tools;
    add(of[random.below(static_cast<uint32_t>(of.size()))]);
  }
  random.shuffle(out);
  return out;
}

std::vector<uint64_t> apportion(uint64_t total, const std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<uint64_t> out(shares.size(), 0);
  if (sum <= 0) return out;
  std::vector<std::pair<double, size_t>> rest;
  uint64_t given = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    const double exact = static_cast<double>(total) * shares[i] / sum;
    out[i] = static_cast<uint64_t>(exact);
    given += out[i];
    if (shares[i] > 0) rest.emplace_back(static_cast<double>(out[i]) - exact, i);
  }
  std::sort(rest.begin(), rest.end());
  for (size_t i = 0; given < total; ++given, ++i) ++out[rest[i % rest.size()].second];
  return out;
}

}  // namespace wend::synth
