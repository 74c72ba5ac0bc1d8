"""The multi-turn and the single-step reward, term by term (docs/metrics.md, design reference section 5)."""

from matching import (
    Hits,
    Missing,
    calls_out_of_pool,
    excess_calls,
    hallucinated_arguments,
    stale_arguments,
)
from metrics import (
    NO_GOLD,
    NO_GOLD_CALLS,
    NO_GOLD_TURNS,
    NO_LABELS,
    acr,
    chain_completion,
    evaluated_turns,
    issr,
)
from values import is_blank

PARAMS = {
    "alpha": 1.0,
    "beta": 1.0,
    "gamma": 0.5,
    "jga_scale": 2.5,
    "jga_cap": 5.0,
    "stale_penalty": 0.5,
    "halluc_penalty": 0.8,
    "invalid_penalty": 1.0,
    "excess_penalty": 0.5,
    "low_precision_penalty": 2.0,
    "low_hit_rate": 0.3,
    "low_precision_calls": 3,
    "progress_bonus": 0.3,
    "progress_cap": 0.9,
    "acr_weight": 1.0,
    "chain_full": 4.0,
    "chain_high": 2.5,
    "chain_partial": 1.0,
    "issr_weight": 2.0,
    "issr_threshold": 0.3,
    "empty_penalty": 0.5,
    "tags_penalty": 0.3,
    "loop_penalty": 2.0,
    "reward_min": -4.0,
    "reward_max": 8.0,
    "single_step_matching": "loose",
    "single_step_scale": 2.0,
    "single_step_invalid": 0.5,
    "single_step_language": 1.0,
}

TAGS = ("<tool_call>", "</tool_call>", "<context_manager>", "</context_manager>")
NO_POOL = Missing("no candidate tools")
NO_RESPONSE = Missing("no assistant message")


class Reward:
    """`raw` and `terms` map layer.term to a number or Missing; `terms` are weighted and sum to the total."""

    def __init__(self, raw, weights, clamp=None):
        self.raw = raw
        self.terms = {}
        for name, value in raw.items():
            weight = weights.get(name.split(".")[0], 1.0)
            self.terms[name] = value if isinstance(value, Missing) else weight * value
        known = [value for value in self.terms.values() if not isinstance(value, Missing)]
        self.partial = len(known) < len(raw)
        self.total = sum(known) if known else None
        self.clamp = 0.0  # what the clamp changed
        if clamp is not None and self.total is not None:
            low, high = clamp
            clamped = min(max(self.total, low), high)
            self.clamp = clamped - self.total
            self.total = clamped


def multi_turn(trace, params):
    hits = Hits(trace)
    raw = {
        "belief.jga": belief_jga(trace, hits, params),
        "belief.stale": stale_term(trace, hits, params),
        "belief.halluc": halluc_term(trace, params),
        "action.invalid": invalid_term(trace, params),
        "action.excess": excess_term(trace, hits, params),
        "action.low_precision": low_precision_term(trace, hits, params),
        "action.progress": progress_term(trace, hits, params),
        "action.clarify": clarify_term(trace, params),
        "outcome.chain": chain_term(trace, params),
        "outcome.switch": switch_term(trace, hits, params),
        "format.empty": -params["empty_penalty"] * sum(is_empty(turn) for turn in trace.turns),
        "format.tags": -params["tags_penalty"] * sum(has_tag(text) for text in trace.assistant_texts),
        "stop.loop": 0.0,
    }
    weights = {"belief": params["alpha"], "action": params["beta"], "outcome": params["gamma"]}
    if not trace.has_response:
        return Reward({name: NO_RESPONSE for name in raw}, weights)
    if repeats_at_once(trace.calls):
        stopped = {name: 0.0 for name in raw}
        stopped["stop.loop"] = -params["loop_penalty"]
        return Reward(stopped, {})
    return Reward(raw, weights, clamp=(params["reward_min"], params["reward_max"]))


def repeats_at_once(calls):
    return any(first.key == second.key for first, second in zip(calls, calls[1:]))


def belief_jga(trace, hits, params):
    if trace.gold_turns is None:
        return NO_GOLD_TURNS
    total = 0.0
    for turn in evaluated_turns(trace):
        longest = max(len(turn.gold.calls), len(turn.calls))
        if longest > 0:
            total += params["jga_scale"] * hits.count(turn.calls) / longest
    return min(total, params["jga_cap"])


def stale_term(trace, hits, params):
    if trace.gold_turns is None:
        return NO_GOLD_TURNS
    return -params["stale_penalty"] * len(stale_arguments(trace, hits))


def halluc_term(trace, params):
    if trace.pool is None:
        return NO_POOL
    return -params["halluc_penalty"] * len(hallucinated_arguments(trace))


def invalid_term(trace, params):
    if trace.pool is None:
        return NO_POOL
    return -params["invalid_penalty"] * len(calls_out_of_pool(trace, trace.calls))


def excess_term(trace, hits, params):
    if trace.gold_calls is None:
        return NO_GOLD_CALLS
    return -params["excess_penalty"] * len(excess_calls(trace, hits))


def low_precision_term(trace, hits, params):
    if trace.gold_calls is None:
        return NO_GOLD_CALLS
    calls = len(trace.calls)
    if calls > params["low_precision_calls"] and len(hits.calls) / calls < params["low_hit_rate"]:
        return -params["low_precision_penalty"]
    return 0.0


def progress_term(trace, hits, params):
    if trace.gold_calls is None:
        return NO_GOLD_CALLS
    tools = {call.name for call in trace.calls if call.index in hits.calls}
    return min(params["progress_bonus"] * len(tools), params["progress_cap"])


def clarify_term(trace, params):
    if trace.gold_turns is None:
        return NO_GOLD_TURNS
    scores = [acr(turn) for turn in evaluated_turns(trace) if turn.gold.kind == "clarify"]
    return params["acr_weight"] * sum(score for score in scores if score > 0)


def chain_term(trace, params):
    if trace.chains is None:
        return NO_GOLD
    total = 0.0
    for ratio in chain_completion(trace):
        if ratio == 1:
            total += params["chain_full"]
        elif ratio >= 0.8:
            total += params["chain_high"]
        elif ratio >= 0.5:
            total += params["chain_partial"]
    return total


def switch_term(trace, hits, params):
    if not trace.labelled:
        return NO_LABELS
    scores = [issr(turn, hits) for turn in evaluated_turns(trace) if turn.gold.signal == "interrupted"]
    return params["issr_weight"] * sum(score for score in scores if score > params["issr_threshold"])


def is_empty(turn):
    return turn.answered and not turn.calls and all(is_blank(text) for text in turn.texts)


def has_tag(text):
    return any(tag in text.lower() for tag in TAGS)


def single_step(trace, params):
    """Over the last evaluated turn only, in four exclusive branches; without such a turn every term is 0."""
    raw = {
        "score.called_language": 0.0,
        "score.hits": 0.0,
        "score.invalid": 0.0,
        "score.asked": 0.0,
        "score.answered": 0.0,
        "format.empty": 0.0,
        "format.tags": 0.0,
    }
    if not trace.has_response:
        return Reward({name: NO_RESPONSE for name in raw}, {})
    turns = evaluated_turns(trace)
    if turns:
        raw.update(score_terms(trace, turns[-1], params))
        raw["format.empty"] = -params["empty_penalty"] * is_empty(turns[-1])
        raw["format.tags"] = -params["tags_penalty"] * sum(has_tag(text) for text in turns[-1].texts)
    if trace.pool is None:
        raw["score.invalid"] = NO_POOL
    if trace.gold_turns is None:
        raw.update((name, NO_GOLD_TURNS) for name in raw if name.startswith("score."))
    return Reward(raw, {})


def score_terms(trace, turn, params):
    """The one or two terms of the branch that the turn takes."""
    language = turn.gold.kind in ("clarify", "language")
    if turn.calls and language:
        return {"score.called_language": -params["single_step_language"]}
    if turn.calls:
        longest = max(len(turn.gold.calls), len(turn.calls))
        hits = Hits(trace, params["single_step_matching"] == "loose").count(turn.calls)
        invalid = 0 if trace.pool is None else len(calls_out_of_pool(trace, turn.calls))
        return {
            "score.hits": params["single_step_scale"] * hits / longest,
            "score.invalid": -params["single_step_invalid"] * invalid,
        }
    if language:
        return {"score.asked": acr(turn)}
    return {"score.answered": acr(turn) / 2}
