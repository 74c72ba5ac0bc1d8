"""The independent reference: metrics and rewards of native-format trajectories, in plain Python.

Written from docs/metrics.md, docs/trajectory-format.md and the method's description alone, so that a disagreement with
the engine is news about one of the two. Also the "plain Python" baseline of the benchmarks.

    python3 reference.py FILE...            totals
    python3 reference.py --rows FILE...     one JSON object per dialogue, in the shape of `wend score --rows`
"""

import json
import sys

from matching import Missing
from metrics import PARAMS as METRIC_PARAMS
from metrics import metrics_of, totals
from rewards import PARAMS as REWARD_PARAMS
from rewards import multi_turn, single_step
from trajectory import read_jsonl

PARAMS = {**METRIC_PARAMS, **REWARD_PARAMS}


def evaluate(trace, params=None):
    """(metrics, rewards) of one dialogue."""
    values = {**PARAMS, **(params or {})}
    rewards = {"multi_turn": multi_turn(trace, values), "single_step": single_step(trace, values)}
    return metrics_of(trace, values), rewards


def plain(value):
    return None if isinstance(value, Missing) else value


def row(trace, params=None):
    """The dialogue's values as `wend score --rows` writes them."""
    metrics, rewards = evaluate(trace, params)
    result = {"id": trace.id, "metrics": {}, "rewards": {}}
    for name, value in metrics.items():
        if isinstance(value, Missing):
            result["metrics"][name] = None
        else:
            result["metrics"][name] = {"num": value[0], "den": value[1]}
    for name, reward in rewards.items():
        terms = {term: plain(value) for term, value in reward.terms.items()}
        if name == "multi_turn":
            terms["clamp"] = reward.clamp
        result["rewards"][name] = {"total": reward.total, "partial": reward.partial, "terms": terms}
    return result


def main(arguments):
    rows = "--rows" in arguments
    files = [argument for argument in arguments if not argument.startswith("--")]
    if not files:
        print(__doc__)
        return 2
    seen = []
    for path in files:
        for trace in read_jsonl(path):
            if rows:
                print(json.dumps(row(trace), ensure_ascii=False))
            else:
                metrics, rewards = evaluate(trace)
                seen.append((metrics, rewards))
    if not rows:
        report = {"dialogues": len(seen), "metrics": totals([metrics for metrics, _ in seen]), "rewards": {}}
        for name in ("multi_turn", "single_step"):
            valid = [r[name].total for _, r in seen if not r[name].partial]
            report["rewards"][name] = {"mean": sum(valid) / len(valid) if valid else None, "valid": len(valid)}
        print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
