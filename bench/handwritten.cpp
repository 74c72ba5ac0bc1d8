#include "bench/handwritten.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>

#include "runtime/text/search.h"

namespace wend::bench {
namespace {

constexpr const char* kFamilies[] = {"Baseline",     "Modification", "Clarification",
                                     "Interruption", "Chaining",     "Accumulation"};

// The sums of each metric: names of its signals in the program, and the rule's own.
struct Known {
  const char* name;
  double TraceSignals::* value;
  int family = -1;
};
constexpr Known kKnown[] = {
    {"JGA.sum", &TraceSignals::jga},
    {"JGA.count", &TraceSignals::with_gold},
    {"jga_all.sum", &TraceSignals::jga_all},
    {"jga_all.count", &TraceSignals::evaluated},
    {"JGA_loose.sum", &TraceSignals::jga_loose},
    {"JGA_loose.count", &TraceSignals::with_gold},
    {"SCRR.sum", &TraceSignals::stale},
    {"SCRR.count", &TraceSignals::modified},
    {"RIR.sum", &TraceSignals::redundant},
    {"RIR.count", &TraceSignals::answered},
    {"rir_name.sum", &TraceSignals::redundant_name},
    {"rir_name.count", &TraceSignals::answered},
    {"LOOP.sum", &TraceSignals::cycle},
    {"LOOP.count", &TraceSignals::response},
    {"DTCR.sum", &TraceSignals::chain_score},
    {"DTCR.count", &TraceSignals::chains},
    {"ISSR.sum", &TraceSignals::switched},
    {"ISSR.count", &TraceSignals::interrupted},
    {"call_recall.sum", &TraceSignals::gold_used},
    {"call_recall.count", &TraceSignals::gold_calls},
    {"call_precision.sum", &TraceSignals::hits},
    {"call_precision.count", &TraceSignals::calls},
    {"Cognitive.sum", &TraceSignals::jga},
    {"Cognitive.count", &TraceSignals::with_gold},
    {"Cognitive.sum2", &TraceSignals::stale},
    {"Cognitive.count2", &TraceSignals::modified},
    {"Behavioral.sum", &TraceSignals::redundant},
    {"Behavioral.count", &TraceSignals::answered},
    {"Outcome.sum", &TraceSignals::switched},
    {"Outcome.count", &TraceSignals::interrupted},
    {"Outcome.sum2", &TraceSignals::chain_score},
    {"Outcome.count2", &TraceSignals::chains},
    {"Baseline_JGA.sum", &TraceSignals::jga, 0},
    {"Baseline_JGA.count", &TraceSignals::with_gold, 0},
    {"Modification_JGA.sum", &TraceSignals::jga, 1},
    {"Modification_JGA.count", &TraceSignals::with_gold, 1},
    {"Clarification_JGA.sum", &TraceSignals::jga, 2},
    {"Clarification_JGA.count", &TraceSignals::with_gold, 2},
    {"Interruption_ISSR.sum", &TraceSignals::switched, 3},
    {"Interruption_ISSR.count", &TraceSignals::interrupted, 3},
    {"Chaining_DTCR.sum", &TraceSignals::chain_score, 4},
    {"Chaining_DTCR.count", &TraceSignals::chains, 4},
    {"Accumulation_DTCR.sum", &TraceSignals::chain_score, 5},
    {"Accumulation_DTCR.count", &TraceSignals::chains, 5},
};

constexpr uint32_t kTermCount = 14;

}  // namespace

RewardParams RewardParams::of(const Program& program) {
  const auto value = [&](const char* name) {
    const Result<uint32_t> index = program.info().find_param(name);
    if (!index) {
      std::fprintf(stderr, "bench: %s\n", index.error().message.c_str());
      std::exit(1);
    }
    return program.param_defaults()[*index];
  };
  RewardParams p;
#define WEND_PARAM(name) p.name = value(#name);
  WEND_PARAM(issr_threshold)
  WEND_PARAM(alpha)
  WEND_PARAM(beta)
  WEND_PARAM(gamma)
  WEND_PARAM(jga_scale)
  WEND_PARAM(jga_cap)
  WEND_PARAM(stale_penalty)
  WEND_PARAM(halluc_penalty)
  WEND_PARAM(invalid_penalty)
  WEND_PARAM(excess_penalty)
  WEND_PARAM(low_precision_penalty)
  WEND_PARAM(low_hit_rate)
  WEND_PARAM(low_precision_calls)
  WEND_PARAM(progress_bonus)
  WEND_PARAM(progress_cap)
  WEND_PARAM(acr_weight)
  WEND_PARAM(chain_full)
  WEND_PARAM(chain_high)
  WEND_PARAM(chain_partial)
  WEND_PARAM(issr_weight)
  WEND_PARAM(empty_penalty)
  WEND_PARAM(tags_penalty)
  WEND_PARAM(loop_penalty)
  WEND_PARAM(reward_min)
  WEND_PARAM(reward_max)
#undef WEND_PARAM
  return p;
}

Handwritten::Handwritten(const Program& program) : params_(RewardParams::of(program)) {
  for (const SignalInfo& signal : program.info().signals) {
    const auto known =
        std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return signal.name == k.name; });
    if (known == std::end(kKnown)) {
      unknown_.push_back(signal.name);
    } else {
      sources_.push_back({known->value, known->family});
    }
  }
  n_terms_ = kTermCount;
  const Result<uint32_t> reward = program.info().find_reward("multi_turn");
  if (!reward || program.n_terms(*reward) != kTermCount) unknown_.push_back("terms of multi_turn");
}

void Handwritten::bind(Batch& batch) {
  for (size_t i = 0; i < families_.size(); ++i) families_[i] = batch.intern_name(kFamilies[i]);
  const uint32_t blank = batch.intern_value("\"\"");
  batch_ = &batch;
  const Columns& columns = batch.columns();
#define WEND_COLUMN(table, name, ctype) v_.table##_##name = columns.table##_##name.data();
#include "runtime/include/wend/columns.def"
  blank_ = v_.value_folded[blank];
  const uint32_t calls = batch.rows(WEND_TABLE_call);
  used_.resize(calls);
  stale_.resize(calls);
  redundant_.resize(calls);
  redundant_name_.resize(calls);
  taken_.assign(calls, 0);
  completed_.resize(batch.rows(WEND_TABLE_link));
}

double Handwritten::named_share(uint32_t turn) const {
  const wend_span missing = v_.turn_missing[turn], messages = v_.turn_messages[turn];
  if (missing.begin == missing.end) return 0;
  uint32_t named = 0;
  for (uint32_t n = missing.begin; n < missing.end; ++n) {
    const wend_bytes& name = v_.text_folded[v_.turn_missing_name[n]];
    for (uint32_t m = messages.begin; m < messages.end; ++m) {
      if (v_.message_role[m] != WEND_ROLE_ASSISTANT || v_.message_text[m] == WEND_NONE) continue;
      const wend_bytes& text = v_.text_folded[v_.message_text[m]];
      if (wend_text_names(text.data, text.size, name.data, name.size)) {
        ++named;
        break;
      }
    }
  }
  return static_cast<double>(named) / static_cast<double>(missing.end - missing.begin);
}

double Handwritten::acr(uint32_t turn) const {
  const wend_span calls = v_.turn_calls[turn], messages = v_.turn_messages[turn], missing = v_.turn_missing[turn];
  if (calls.begin < calls.end) return -1;
  bool speaks = false, asks = false;
  for (uint32_t m = messages.begin; m < messages.end && !asks; ++m) {
    if (v_.message_role[m] != WEND_ROLE_ASSISTANT || v_.message_text[m] == WEND_NONE) continue;
    speaks = true;
    asks = text_contains(v_.message_text[m], "?") || text_contains(v_.message_text[m], "？");
  }
  if (!speaks) return -1;
  if (!asks) return -0.5;
  const bool labels = has(v_.turn_trace[turn], WEND_CAP_LABELS);
  return labels && missing.begin < missing.end ? 0.5 + 0.5 * named_share(turn) : 1;
}

bool Handwritten::pivoted(uint32_t turn) const {
  const wend_span calls = v_.turn_calls[turn], golds = v_.turn_gold_calls[turn];
  if (golds.begin == golds.end) return calls.begin == calls.end;
  for (uint32_t g = golds.begin; g < golds.end; ++g) {
    bool used = false;
    for (uint32_t c = calls.begin; c < calls.end && !used; ++c) used = used_[c] == g;
    if (!used) return false;
  }
  return true;
}

bool Handwritten::empty_reply(uint32_t turn) const {
  const wend_span messages = v_.turn_messages[turn];
  for (uint32_t m = messages.begin; m < messages.end; ++m) {
    if (v_.message_role[m] != WEND_ROLE_ASSISTANT) continue;
    if (v_.message_text[m] != WEND_NONE || v_.message_calls[m].begin < v_.message_calls[m].end) return false;
  }
  return true;
}

bool Handwritten::residual_tags(uint32_t message) const {
  const uint32_t text = v_.message_text[message];
  if (v_.message_role[message] != WEND_ROLE_ASSISTANT || text == WEND_NONE) return false;
  return text_contains(text, "<tool_call>") || text_contains(text, "</tool_call>") ||
         text_contains(text, "<context_manager>") || text_contains(text, "</context_manager>");
}

uint32_t Handwritten::count_stale(uint32_t call) const {
  const wend_span args = v_.call_args[call];
  uint32_t count = 0;
  for (uint32_t a = args.begin; a < args.end; ++a) {
    const Stale state = stale_state(a);
    count += state.overwritten && v_.arg_value[a] != state.active;
  }
  return count;
}

void Handwritten::count_calls(uint32_t trace, TraceSignals& signals, TraceFacts& facts) {
  const wend_span calls = v_.trace_calls[trace], golds = v_.trace_gold_calls[trace];
  const bool gold = has(trace, WEND_CAP_GOLD), pool = has(trace, WEND_CAP_POOL);
  facts.calls = calls.end - calls.begin;
  std::array<uint32_t, 5> run{};  // by period: calls in a row that repeat those so many before
  bool cycle = false;
  for (uint32_t c = calls.begin; c < calls.end; ++c) {
    const uint32_t key = v_.call_key[c], name = v_.call_name[c], turn = v_.call_turn[c];
    const bool hit = used_[c] != WEND_NONE;
    uint32_t equal = 0;
    bool again = false, name_again = false, hit_name = false;
    for (uint32_t d = calls.begin; d < c; ++d) {
      const bool other_turn = v_.call_turn[d] != WEND_NONE && v_.call_turn[d] != turn;
      const bool same_name = v_.call_name[d] == name, same = v_.call_key[d] == key;
      equal += same;
      again |= same && other_turn;
      name_again |= same_name && other_turn;
      hit_name |= same_name && used_[d] != WEND_NONE;
    }
    redundant_[c] = again && !(gold && hit);
    redundant_name_[c] = name_again && !(gold && hit);
    facts.repeats |= c > calls.begin && v_.call_key[c - 1] == key;
    for (uint32_t p = 1; p < run.size(); ++p) {
      run[p] = c >= calls.begin + p && v_.call_key[c - p] == key ? run[p] + 1 : 0;
      cycle |= run[p] >= 2 * p;
    }
    facts.out_of_pool += v_.call_tool[c] == WEND_NONE;
    stale_[c] = 0;
    if (hit) {
      ++facts.hits;
      facts.distinct_hits += !hit_name;
    } else {
      stale_[c] = count_stale(c);
      facts.stale += stale_[c];
      if (equal > 0) {  // otherwise one of it can never be too many
        uint32_t wanted = 0;
        for (uint32_t g = golds.begin; g < golds.end && wanted <= equal; ++g) wanted += same_call(c, g);
        facts.excess += 1 + equal > std::max(1u, wanted);
      }
    }
    if (!pool) continue;
    const wend_span args = v_.call_args[c];
    for (uint32_t a = args.begin; a < args.end; ++a) {
      const bool undeclared = v_.call_tool[c] != WEND_NONE && v_.arg_param[a] == WEND_NONE;
      facts.fabricated += undeclared || !grounded(a);
    }
  }
  if (!has(trace, WEND_CAP_RESPONSE)) return;
  signals.response = 1;
  signals.cycle = cycle;
  signals.hits = static_cast<double>(facts.hits);
  if (gold) signals.calls = static_cast<double>(facts.calls);
  signals.gold_calls = golds.end - golds.begin;
  uint32_t used = 0;
  for (uint32_t g = golds.begin; g < golds.end; ++g) used += taken_[g];
  signals.gold_used = used;
}

void Handwritten::count_chains(uint32_t trace, TraceSignals& signals, TraceFacts& facts) {
  const wend_span chains = v_.trace_chains[trace];
  for (uint32_t k = chains.begin; k < chains.end; ++k) {
    const double share = completion(k);
    signals.chains += 1;
    signals.chain_score += share == 1.0 ? 1.0 : share >= 0.8 ? 0.625 : share >= 0.5 ? 0.25 : 0.0;
    facts.chain_rewards += share == 1.0   ? params_.chain_full
                           : share >= 0.8 ? params_.chain_high
                           : share >= 0.5 ? params_.chain_partial
                                          : 0.0;
  }
}

void Handwritten::put_reward(uint32_t trace, const TraceFacts& facts, double* total, double* terms,
                             uint32_t* status) const {
  const RewardParams& p = params_;
  if (has(trace, WEND_CAP_RESPONSE) && facts.repeats) {
    std::fill_n(terms, kTermCount, 0.0);
    *total = terms[0] = -p.loop_penalty;
    *status = WEND_STATUS_OK;
    return;
  }
  constexpr uint32_t R = WEND_CAP_RESPONSE, G = WEND_CAP_GOLD, T = WEND_CAP_GOLD_TURNS, L = WEND_CAP_LABELS,
                     C = WEND_CAP_CHAINS, P = WEND_CAP_POOL;
  constexpr uint32_t kNeeds[kTermCount - 1] = {R,     R | G | T, R | G | T, R | P,         R | P, R | G, R | G,
                                               R | G, R | T,     R | C,     R | G | T | L, R,     R};
  const auto count = [](int64_t n) { return static_cast<double>(n); };
  const bool imprecise = count(facts.calls) > p.low_precision_calls &&
                         (facts.calls ? count(facts.hits) / count(facts.calls) : 0) < p.low_hit_rate;
  const double values[kTermCount - 1] = {
      0.0,
      p.alpha * std::min(p.jga_scale * facts.call_scores, p.jga_cap),
      p.alpha * (-p.stale_penalty * count(facts.stale)),
      p.alpha * (-p.halluc_penalty * count(facts.fabricated)),
      p.beta * (-p.invalid_penalty * count(facts.out_of_pool)),
      p.beta * (-p.excess_penalty * count(facts.excess)),
      p.beta * (imprecise ? -p.low_precision_penalty : 0.0),
      p.beta * std::min(p.progress_bonus * count(facts.distinct_hits), p.progress_cap),
      p.beta * (p.acr_weight * facts.acr),
      p.gamma * facts.chain_rewards,
      p.gamma * (p.issr_weight * facts.issr),
      -p.empty_penalty * count(facts.empty),
      -p.tags_penalty * count(facts.tags),
  };
  double sum = 0;
  *status = WEND_STATUS_OK;
  for (uint32_t k = 0; k + 1 < kTermCount; ++k) {
    if (has(trace, kNeeds[k])) {
      terms[k] = values[k];
      if (k > 0) sum += values[k];
    } else {
      terms[k] = std::numeric_limits<double>::quiet_NaN();
      *status = WEND_STATUS_PARTIAL;
    }
  }
  const double clamped = sum > p.reward_max ? p.reward_max : sum < p.reward_min ? p.reward_min : sum;
  terms[kTermCount - 1] = clamped - sum;
  *total = clamped;
}

void Handwritten::run(uint32_t begin, uint32_t end, Scores& scores) {
  double* out = scores.signals.data() + size_t{begin} * sources_.size();
  for (uint32_t trace = begin; trace < end; ++trace) {
    TraceSignals signals;
    TraceFacts facts;
    const wend_span golds = v_.trace_gold_calls[trace], messages = v_.trace_messages[trace];
    std::fill(taken_.begin() + golds.begin, taken_.begin() + golds.end, uint8_t{0});
    match_calls(trace);
    count_calls(trace, signals, facts);
    count_turns(trace, signals, facts);
    count_chains(trace, signals, facts);
    for (uint32_t m = messages.begin; m < messages.end; ++m) facts.tags += residual_tags(m);
    const uint32_t family = v_.trace_family[trace];
    for (const Source& source : sources_) {
      *out++ = source.family < 0 || families_[static_cast<size_t>(source.family)] == family ? signals.*source.value : 0;
    }
    put_reward(trace, facts, &scores.totals[trace], scores.terms.data() + size_t{trace} * n_terms_,
               &scores.status[trace]);
  }
}

}  // namespace wend::bench
