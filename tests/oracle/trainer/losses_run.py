"""Losses and estimators against formulas written down with torch's autograd, in float64.

    losses_run.py --bin build/bin [--count 20] [--seed 1]

Each case is random: N tokens of several trajectories, some of weight 0. Nothing may differ by more than 1e-10 of the
largest value; the run says how much did.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file

LIMIT = 1e-10


def inputs(generator):
    def normal(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    lengths = torch.randint(1, 9, (5,), generator=generator)
    n = int(lengths.sum())
    weights = torch.rand(n, generator=generator, dtype=torch.float64)
    weights[torch.randperm(n, generator=generator)[: n // 4]] = 0
    weights[:2] = 0.5  # never fewer than two
    log_probs = -normal(n).abs() * 3
    vocabulary, hidden = 37, 11
    return {
        "starts": torch.cat([torch.zeros(1, dtype=torch.int64), lengths.cumsum(0)]),
        "log_probs": log_probs, "old_log_probs": log_probs - normal(n), "advantages": normal(n), "weights": weights,
        "values": normal(n), "old_values": normal(n), "returns": normal(n), "rewards": normal(n),
        "bootstrap": normal(5) * torch.tensor([0, 1, 0, 1, 1]), "clip_low": torch.tensor([0.2], dtype=torch.float64),
        "clip_high": torch.tensor([0.22], dtype=torch.float64), "dual_clip": torch.tensor([1.5], dtype=torch.float64),
        "hidden": normal(n, hidden), "teacher": normal(n, hidden), "head": normal(vocabulary, hidden),
        "targets": torch.randint(0, vocabulary, (n,), generator=generator),
        "temperature": torch.tensor([0.7], dtype=torch.float64),
    }


def with_gradients(name, loss, leaves, out):
    out[name] = loss.detach().reshape(-1)
    for leaf_name, gradient in zip(leaves, torch.autograd.grad(loss.sum(), list(leaves.values()))):
        out[f"{name}.grad.{leaf_name}"] = gradient


def reference(x):
    out = {}
    log_probs = x["log_probs"].clone().requires_grad_()
    ratio = (log_probs - x["old_log_probs"]).exp()
    a, low, high = x["advantages"], 1 - x["clip_low"], 1 + x["clip_high"]
    # Eq. 8 as a maximisation: min(rho A, clip(rho) A), and for A < 0 not below c A (Ye et al. 2020).
    objective = torch.minimum(ratio * a, ratio.clamp(low, high) * a)
    objective = torch.where(a < 0, torch.maximum(objective, x["dual_clip"] * a), objective)
    with_gradients("policy", -(objective * x["weights"]).sum(), {"log_probs": log_probs}, out)
    clipped = ((ratio > high) & (a > 0)) | ((ratio < low) & (a < 0))
    out["clip_fraction"] = (clipped * x["weights"]).sum().reshape(1)

    values = x["values"].clone().requires_grad_()
    near = x["old_values"] + (values - x["old_values"]).clamp(-0.2, 0.2)
    worst = torch.maximum((values - x["returns"]) ** 2, (near - x["returns"]) ** 2)
    with_gradients("value", (0.5 * worst * x["weights"]).sum(), {"values": values}, out)

    for i, keep in enumerate((torch.ones_like(a, dtype=bool), a > 0, ~((a < 0) & (ratio.detach() < low)))):
        leaf = x["log_probs"].clone().requires_grad_()
        with_gradients(f"ext{i}", -(leaf * a * keep).sum(), {"log_probs": leaf}, out)

    # Generalised advantages as the sum that defines them, not as a recurrence.
    gamma, lam = 0.97, 0.9
    gae = []
    starts = x["starts"].tolist()
    for k, (begin, end) in enumerate(zip(starts, starts[1:])):
        value = torch.cat([x["values"][begin:end], x["bootstrap"][k:k + 1]])
        delta = x["rewards"][begin:end] + gamma * value[1:] - value[:-1]
        for t in range(end - begin):
            powers = (gamma * lam) ** torch.arange(end - begin - t, dtype=torch.float64)
            gae.append((powers * delta[t:]).sum())
    out["gae"] = torch.stack(gae)
    counted = out["gae"][x["weights"] > 0]
    out["white"] = (out["gae"] - counted.mean()) / (counted.var() + 1e-8).sqrt()

    d = x["log_probs"] - x["old_log_probs"]
    out |= {"k1": d, "k2": d * d / 2, "k3": (d.neg().exp() + d - 1).clamp(-10, 10), "abs": d.abs()}

    for suffix in ("", "_chunks"):
        hidden, head = x["hidden"].clone().requires_grad_(), x["head"].clone().requires_grad_()
        log_p = (hidden @ head.T / x["temperature"]).log_softmax(-1)
        chosen = log_p.gather(1, x["targets"][:, None])[:, 0]
        entropy = -(log_p.exp() * log_p).sum(-1)
        with_gradients("scores" + suffix, chosen * x["advantages"] + entropy * x["values"],
                       {"hidden": hidden, "head": head}, out)
        student, both = x["hidden"].clone().requires_grad_(), x["head"].clone().requires_grad_()
        log_s = (student @ both.T / x["temperature"]).log_softmax(-1)
        log_t = (x["teacher"] @ both.detach().T / x["temperature"]).log_softmax(-1)  # sg
        with_gradients("dist" + suffix, (log_t.exp() * (log_t - log_s)).sum(-1) * x["weights"],
                       {"hidden": student, "head": both}, out)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    worst = {}
    for case in range(options.count):
        generator = torch.Generator().manual_seed(options.seed * 1000 + case)
        x = inputs(generator)
        with tempfile.TemporaryDirectory() as folder:
            save_file(x, f"{folder}/in.safetensors")
            subprocess.run([options.bin / "loss_outputs", f"{folder}/in.safetensors", f"{folder}/out.safetensors"],
                           check=True)
            ours = load_file(f"{folder}/out.safetensors")
        theirs = reference(x)
        assert set(ours) == set(theirs), set(ours) ^ set(theirs)
        for name, expected in theirs.items():
            difference = (ours[name] - expected).abs().max() / expected.abs().max().clamp_min(1e-12)
            worst[name] = max(worst.get(name, 0.0), difference.item())
    for name, difference in sorted(worst.items()):
        print(f"  {name:26} {difference:.1e}")
    if bad := [name for name, difference in worst.items() if difference > LIMIT]:
        sys.exit(f"differs by more than {LIMIT}: {', '.join(bad)}")


if __name__ == "__main__":
    main()
