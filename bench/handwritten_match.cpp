// Matching of calls with gold, and where the values of arguments come from.
#include "bench/handwritten.h"
#include "runtime/text/search.h"

namespace wend::bench {

bool Handwritten::text_contains(uint32_t text, std::string_view needle) const {
  const wend_bytes& bytes = v_.text_folded[text];
  return wend_text_contains(bytes.data, bytes.size, needle.data(), needle.size());
}

bool Handwritten::mentions(uint32_t text, uint32_t needle) const {
  const wend_bytes &bytes = v_.text_folded[text], &word = v_.text_folded[needle];
  return wend_text_mentions(bytes.data, bytes.size, word.data, word.size);
}

bool Handwritten::same_call(uint32_t call, uint32_t gold) const {
  if (v_.call_name[call] != v_.call_name[gold] || v_.call_malformed[call]) return false;
  const wend_span args = v_.call_args[call], wanted = v_.call_args[gold];
  for (uint32_t a = args.begin; a < args.end; ++a) {
    bool found = false;
    for (uint32_t e = wanted.begin; e < wanted.end && !found; ++e) {
      if (v_.arg_name[e] != v_.arg_name[a]) continue;
      const wend_span accepted = v_.arg_accepted[e];
      for (uint32_t x = accepted.begin; x < accepted.end && !found; ++x) {
        found = v_.accepted_value[x] == v_.arg_value[a];
      }
    }
    if (!found) return false;
  }
  for (uint32_t e = wanted.begin; e < wanted.end; ++e) {
    if (v_.arg_optional[e]) continue;
    bool found = false;
    for (uint32_t a = args.begin; a < args.end && !found; ++a) found = v_.arg_name[a] == v_.arg_name[e];
    if (!found) return false;
  }
  return true;
}

// The argument, made or expected, says what its parameter's default says anyway.
bool Handwritten::is_default(uint32_t arg) const {
  const uint32_t param = v_.arg_param[arg];
  if (param == WEND_NONE || !has(v_.call_trace[v_.arg_call[arg]], WEND_CAP_POOL)) return false;
  const uint32_t value = v_.param_default_value[param];
  return value != WEND_NONE && v_.value_folded[value] == v_.value_folded[v_.arg_value[arg]];
}

bool Handwritten::same_call_loosely(uint32_t call, uint32_t gold) const {
  if (v_.call_name[call] != v_.call_name[gold] || v_.call_malformed[call]) return false;
  const wend_span args = v_.call_args[call], wanted = v_.call_args[gold];
  for (uint32_t a = args.begin; a < args.end; ++a) {
    bool found = false, named = false;
    const uint32_t value = v_.value_folded[v_.arg_value[a]];
    for (uint32_t e = wanted.begin; e < wanted.end && !found; ++e) {
      if (v_.arg_name[e] != v_.arg_name[a]) continue;
      named = true;
      const wend_span accepted = v_.arg_accepted[e];
      for (uint32_t x = accepted.begin; x < accepted.end && !found; ++x) {
        found = v_.value_folded[v_.accepted_value[x]] == value;
      }
    }
    if (!found && (named || !is_default(a))) return false;
  }
  for (uint32_t e = wanted.begin; e < wanted.end; ++e) {
    if (v_.arg_optional[e]) continue;
    bool found = false;
    for (uint32_t a = args.begin; a < args.end && !found; ++a) found = v_.arg_name[a] == v_.arg_name[e];
    if (!found && !is_default(e)) return false;
  }
  return true;
}

wend_span Handwritten::candidates(uint32_t call) const {
  const uint32_t trace = v_.call_trace[call];
  if (!has(trace, WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS)) return v_.trace_gold_calls[trace];
  const uint32_t turn = v_.call_turn[call];
  return turn == WEND_NONE ? wend_span{0, 0} : v_.turn_gold_calls[turn];
}

// Each call uses up the first gold call that it equals and that is still there.
void Handwritten::match_calls(uint32_t trace) {
  const wend_span calls = v_.trace_calls[trace];
  for (uint32_t c = calls.begin; c < calls.end; ++c) {
    used_[c] = WEND_NONE;
    const wend_span golds = candidates(c);
    for (uint32_t g = golds.begin; g < golds.end; ++g) {
      if (taken_[g] || !same_call(c, g)) continue;
      used_[c] = g;
      taken_[g] = 1;
      break;
    }
  }
}

// One walk over the gold calls to the tool up to now: the value that is expected, and whether a value like the
// argument's was set before and then replaced.
Handwritten::Stale Handwritten::stale_state(uint32_t arg) const {
  const uint32_t call = v_.arg_call[arg], trace = v_.call_trace[call], turn = v_.call_turn[call];
  const uint32_t name = v_.arg_name[arg], value = v_.arg_value[arg], tool = v_.call_name[call];
  const wend_span turns = v_.trace_turns[trace];
  const uint32_t until = turn == WEND_NONE ? turns.begin : turn + 1;
  Stale state = {false, WEND_NONE};
  uint32_t set_in = WEND_NONE;  // the first turn that set the value
  for (uint32_t u = turns.begin; u < until; ++u) {
    const wend_span slots = v_.turn_slots[u];
    for (uint32_t s = slots.begin; s < slots.end && !state.overwritten; ++s) {
      state.overwritten = v_.slot_tool[s] == tool && v_.slot_param[s] == name && v_.slot_value[s] == value;
    }
    const wend_span golds = v_.turn_gold_calls[u];
    for (uint32_t g = golds.begin; g < golds.end; ++g) {
      if (v_.call_name[g] != tool) continue;
      const wend_span args = v_.call_args[g];
      for (uint32_t e = args.begin; e < args.end; ++e) {
        if (v_.arg_name[e] != name) continue;
        state.active = v_.arg_value[e];
        if (state.active == value) {
          if (set_in == WEND_NONE) set_in = u;
        } else if (set_in != WEND_NONE && set_in < u) {
          state.overwritten = true;
        }
      }
    }
  }
  return state;
}

bool Handwritten::seen(uint32_t leaf, uint32_t first, uint32_t end, uint32_t profile) const {
  const uint8_t type = v_.value_type[leaf];
  if (type == WEND_JSON_BOOL || type == WEND_JSON_NULL) return true;
  if (v_.value_folded[leaf] == blank_) return true;
  const uint32_t needle = v_.value_needle[leaf];
  if (needle == WEND_NONE) return false;
  for (uint32_t m = first; m < end; ++m) {
    if (v_.message_role[m] != WEND_ROLE_USER && v_.message_role[m] != WEND_ROLE_TOOL) continue;
    if (v_.message_text[m] != WEND_NONE && mentions(v_.message_text[m], needle)) return true;
  }
  return profile != WEND_NONE && mentions(profile, needle);
}

bool Handwritten::grounded(uint32_t arg) const {
  const uint32_t value = v_.arg_value[arg], folded = v_.value_folded[value], call = v_.arg_call[arg];
  const uint32_t trace = v_.call_trace[call], turn = v_.call_turn[call], param = v_.arg_param[arg];
  if (v_.value_type[value] == WEND_JSON_BOOL || v_.value_type[value] == WEND_JSON_NULL) return true;
  if (param != WEND_NONE) {
    const uint32_t fallback = v_.param_default_value[param];
    if (fallback != WEND_NONE && v_.value_folded[fallback] == folded) return true;
    const wend_span choices = v_.param_choices[param];
    for (uint32_t x = choices.begin; x < choices.end; ++x) {
      if (v_.value_folded[v_.choice_value[x]] == folded) return true;
    }
  }
  if (has(trace, WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS)) {
    const wend_span golds = turn == WEND_NONE ? wend_span{0, 0} : v_.turn_gold_calls[turn];
    for (uint32_t g = golds.begin; g < golds.end; ++g) {
      if (v_.call_name[g] != v_.call_name[call]) continue;
      const wend_span args = v_.call_args[g];
      for (uint32_t e = args.begin; e < args.end; ++e) {
        if (v_.arg_name[e] != v_.arg_name[arg]) continue;
        const wend_span accepted = v_.arg_accepted[e];
        for (uint32_t x = accepted.begin; x < accepted.end; ++x) {
          if (v_.value_folded[v_.accepted_value[x]] == folded) return true;
        }
      }
    }
    const uint32_t active = stale_state(arg).active;
    if (active != WEND_NONE && v_.value_folded[active] == folded) return true;
  }
  const wend_span leaves = v_.value_leaves[value];
  const uint32_t message = v_.call_message[call], first = v_.trace_messages[trace].begin;
  for (uint32_t leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    if (!seen(v_.leaf_value[leaf], first, message, v_.trace_profile[trace])) return false;
  }
  return true;
}

template <class Same>
bool Handwritten::same_sets(wend_span calls, wend_span golds, Same same) const {
  for (uint32_t c = calls.begin; c < calls.end; ++c) {
    bool found = false;
    for (uint32_t g = golds.begin; g < golds.end && !found; ++g) found = same(c, g);
    if (!found) return false;
  }
  for (uint32_t g = golds.begin; g < golds.end; ++g) {
    bool found = false;
    for (uint32_t c = calls.begin; c < calls.end && !found; ++c) found = same(c, g);
    if (!found) return false;
  }
  return true;
}

// A link is completed by the first call that is the expected one and comes after those that its needs wait for.
double Handwritten::completion(uint32_t chain) {
  const wend_span links = v_.chain_links[chain], calls = v_.trace_calls[v_.chain_trace[chain]];
  if (links.begin == links.end) return 0;
  uint32_t done = 0;
  for (uint32_t l = links.begin; l < links.end; ++l) {
    completed_[l] = WEND_NONE;
    const wend_span needs = v_.link_needs[l];
    bool possible = true;
    uint32_t after = calls.begin;  // the first call that may complete it
    for (uint32_t n = needs.begin; n < needs.end; ++n) {
      const uint32_t at = completed_[v_.need_link[n]];
      if (at == WEND_NONE)
        possible = false;
      else if (at + 1 > after)
        after = at + 1;
    }
    for (uint32_t c = after; possible && c < calls.end; ++c) {
      if (!same_call(c, v_.link_call[l])) continue;
      completed_[l] = c;
      ++done;
      break;
    }
  }
  return static_cast<double>(done) / static_cast<double>(links.end - links.begin);
}

void Handwritten::count_turns(uint32_t trace, TraceSignals& signals, TraceFacts& facts) {
  const wend_span turns = v_.trace_turns[trace];
  for (uint32_t u = turns.begin; u < turns.end; ++u) {
    if (!v_.turn_answered[u]) continue;
    facts.empty += empty_reply(u);
    const wend_span calls = v_.turn_calls[u], golds = v_.turn_gold_calls[u];
    signals.answered += 1;
    bool redundant = false, redundant_name = false;
    for (uint32_t c = calls.begin; c < calls.end; ++c) redundant |= redundant_[c], redundant_name |= redundant_name_[c];
    signals.redundant += redundant;
    signals.redundant_name += redundant_name;
    if (!v_.turn_labelled[u]) continue;

    const uint32_t n_calls = calls.end - calls.begin, n_golds = golds.end - golds.begin;
    const bool joint = same_sets(calls, golds, [this](uint32_t c, uint32_t g) { return same_call(c, g); });
    signals.evaluated += 1;
    signals.jga_all += joint;
    if (n_golds > 0) {
      signals.with_gold += 1;
      signals.jga += joint;
      // Equal strictly is equal loosely.
      signals.jga_loose +=
          joint || same_sets(calls, golds, [this](uint32_t c, uint32_t g) { return same_call_loosely(c, g); });
    }
    uint32_t hits = 0;
    for (uint32_t c = calls.begin; c < calls.end; ++c) hits += used_[c] != WEND_NONE;
    const uint32_t most = n_calls > n_golds ? n_calls : n_golds;
    const double score = most ? static_cast<double>(hits) / static_cast<double>(most) : 0;
    facts.call_scores += score;
    if (v_.turn_kind[u] == WEND_KIND_CLARIFY) {
      const double judged = acr(u);
      if (judged > 0) facts.acr += judged;
    }
    if (v_.turn_signal[u] == WEND_SIGNAL_MODIFIED) {
      signals.modified += 1;
      for (uint32_t c = calls.begin; c < calls.end; ++c) signals.stale += stale_[c];
    } else if (v_.turn_signal[u] == WEND_SIGNAL_INTERRUPTED) {
      signals.interrupted += 1;
      const double judged = n_golds ? 2.0 * score - 1.0 : n_calls ? -1.0 : 1.0;
      signals.switched += judged > params_.issr_threshold && pivoted(u);
      if (judged > params_.issr_threshold) facts.issr += judged;
    }
  }
}

}  // namespace wend::bench
