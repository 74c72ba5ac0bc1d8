"""The decoder against `transformers`: logits, gradients and saved models of each family, on random small models.

    model_run.py --bin build/bin [--seed N]

Every case prints its largest differences, relative to the largest value of what is compared; the run fails above 1e-4.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file

LIMIT = 1e-4

SIZES = dict(vocab_size=173, hidden_size=48, intermediate_size=112, num_hidden_layers=3, max_position_embeddings=512,
             initializer_range=0.2, bos_token_id=1, eos_token_id=2)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64, rope_theta=10000.0)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=64, rope_theta=10000.0)

CASES = {
    "llama": ("Llama", dict(num_attention_heads=6, num_key_value_heads=2)),
    "llama-rope3-biases": ("Llama", dict(num_attention_heads=4, num_key_value_heads=4, rope_parameters=LLAMA3,
                                         attention_bias=True, mlp_bias=True)),
    "llama-linear-tied": ("Llama", dict(num_attention_heads=4, num_key_value_heads=1, tie_word_embeddings=True,
                                        rope_parameters=dict(rope_type="linear", factor=2.0, rope_theta=5000.0))),
    "qwen2": ("Qwen2", dict(num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True)),
    "qwen2-yarn": ("Qwen2", dict(num_attention_heads=3, num_key_value_heads=3, rope_parameters=YARN)),
    "qwen3": ("Qwen3", dict(num_attention_heads=4, num_key_value_heads=2, head_dim=16, tie_word_embeddings=True)),
    "qwen3-wide-heads": ("Qwen3", dict(num_attention_heads=8, num_key_value_heads=2, head_dim=32,
                                       attention_bias=True, rope_parameters=dict(rope_type="default", rope_theta=1e6))),
}


def relative(ours, theirs):
    """The largest difference over the largest value: what fp32 leaves of a sum depends on its terms."""
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    return ((ours - theirs).abs().max() / theirs.abs().max().clamp_min(1e-12)).item()


def make(family, options, folder, shards):
    config = getattr(transformers, f"{family}Config")(**SIZES, **options)
    model = getattr(transformers, f"{family}ForCausalLM")(config).eval()
    with torch.no_grad():
        for name, value in model.named_parameters():
            if "norm" in name:
                value.uniform_(0.5, 1.5)  # all ones would hide a wrong place
            elif name.endswith("bias"):
                value.normal_(0, 0.2)
    model.save_pretrained(folder, max_shard_size="60KB" if shards else "1GB")
    return model


def reference(model, ids, starts):
    """Logits, log-probs and entropy of the next tokens, gradients of the mean of both: sequence by sequence."""
    logits = []
    log_probs, entropies = [], []
    for begin, end in zip(starts, starts[1:]):
        one = ids[begin:end]
        out = model(one.unsqueeze(0)).logits[0]
        logits.append(out.detach())
        log_p = out[:-1].log_softmax(-1)
        log_probs.append(log_p.gather(1, one[1:, None])[:, 0])
        entropies.append(-(log_p.exp() * log_p).sum(-1))
    log_probs, entropies = torch.cat(log_probs), torch.cat(entropies)
    model.zero_grad()
    (log_probs.mean() + entropies.mean()).backward()
    gradients = {f"gradient.{name}": value.grad for name, value in model.named_parameters()}
    return {"logits": torch.cat(logits), "log_probs": log_probs.detach(), "entropy": entropies.detach(), **gradients}


def run(name, tool, folder, seed):
    torch.manual_seed(seed)
    family, options = CASES[name]
    model = make(family, options, folder / "model", shards=seed % 2 == 0)
    lengths = [1, 7, 200, 33, 2]
    starts = torch.tensor([0] + lengths).cumsum(0)
    ids = torch.randint(0, SIZES["vocab_size"], (sum(lengths),))
    save_file({"ids": ids, "starts": starts}, folder / "input.safetensors")
    subprocess.run([tool, folder / "model", folder / "input.safetensors", folder / "output.safetensors",
                    folder / "saved"], check=True)
    ours, theirs = load_file(folder / "output.safetensors"), reference(model, ids, starts.tolist())
    assert set(ours) == set(theirs), set(ours) ^ set(theirs)
    worst = {"logits": 0.0, "log_probs": 0.0, "entropy": 0.0, "gradient": 0.0}
    for key, value in theirs.items():
        kind = key.split(".")[0]
        difference = relative(ours[key], value)
        if difference > LIMIT:
            print(f"{name}: {key} differs by {difference:.1e} of {value.abs().max():.1e}")
        worst[kind] = max(worst[kind], difference)
    again, info = getattr(transformers, f"{family}ForCausalLM").from_pretrained(folder / "saved",
                                                                                output_loading_info=True)
    assert not any(info[kind] for kind in ("missing_keys", "unexpected_keys", "mismatched_keys")), info
    with torch.no_grad():
        before, after = (torch.cat([m(ids[b:e].unsqueeze(0)).logits[0] for b, e in zip(starts, starts[1:])])
                         for m in (model, again))
    worst["saved"] = relative(after, before)
    assert all(torch.equal(value, again.state_dict()[key]) for key, value in model.state_dict().items())
    print(f"{name:20}" + "".join(f"  {kind} {value:.1e}" for kind, value in worst.items()))
    return max(worst.values()) <= LIMIT


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    failed = []
    for i, name in enumerate(CASES):
        with tempfile.TemporaryDirectory() as folder:
            if not run(name, options.bin / "model_outputs", pathlib.Path(folder), options.seed + i):
                failed.append(name)
    if failed:
        sys.exit(f"differs by more than {LIMIT}: {', '.join(failed)}")


if __name__ == "__main__":
    main()
