"""The tokenizer against `tokenizers`, the chat formats against the models' own templates.

    tokenizer_run.py --bin build/bin [--count 10000] [--seed 1]

Vocabularies: Qwen's own (as the `dashscope` package ships it) under the patterns of GPT-2, Qwen2 and Llama 3, and a
small one that our trainer and theirs both learn. Texts: strings of many scripts, and the dialogues under
$WEND_SHARED_DATA where it is set. Templates: those that the `trl` package ships for Qwen3 and Llama 3.1.
"""
import argparse
import base64
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import jinja2
import jinja2.ext
import jinja2.sandbox
import tokenizers

GPT2 = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
QWEN2 = (r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"""
         r"""|\s+(?!\S)|\s+""")
LLAMA3 = (r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"""
          r"""|\s*[\r\n]+|\s+(?!\S)|\s+""")
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
ADDED = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]


def package_file(package, name):
    return pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0]) / name


def printable():
    """GPT-2's character for each byte."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [b for b in range(256) if b not in shown]
    return {b: chr(b) for b in shown} | {b: chr(256 + i) for i, b in enumerate(hidden)}


def merges_of(ranks):
    """The pair that each token was made of: what merging its bytes leaves, with the merges before it."""
    out = []
    for token, rank in ranks.items():
        if len(token) == 1:
            continue
        parts = [bytes([b]) for b in token]
        while len(parts) > 2:
            best = min(range(len(parts) - 1), key=lambda i: ranks.get(parts[i] + parts[i + 1], 1 << 30))
            parts[best:best + 2] = [parts[best] + parts[best + 1]]
        out.append((rank, parts))
    return [parts for _, parts in sorted(out)]


def split(pattern):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def document(ranks, merges, pattern, nfc, ignore_merges=False, old_merges=False):
    text = printable()
    written = lambda token: "".join(text[b] for b in token)  # noqa: E731
    first = max(ranks.values()) + 1
    added = [{"id": first + i, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False, "special": content in CONTROL} for i, content in enumerate(CONTROL + ADDED)]
    pairs = [[written(a), written(b)] for a, b in merges]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": pattern is None}
    pre = level if pattern is None else {"type": "Sequence", "pretokenizers": [split(pattern), level]}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added,
            "normalizer": {"type": "NFC"} if nfc else None, "pre_tokenizer": pre, "post_processor": None,
            "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                      "ignore_merges": ignore_merges, "vocab": {written(t): r for t, r in ranks.items()},
                      "merges": [" ".join(p) for p in pairs] if old_merges else pairs}}


SCRIPTS = [(0x20, 0x7E), (0x20, 0x7E), (0x61, 0x7A), (0x30, 0x39), (0xA0, 0x17F), (0x370, 0x3FF), (0x400, 0x4FF),
           (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F), (0x1100, 0x11FF), (0x1E00, 0x1EFF),
           (0x2000, 0x206F), (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFB00, 0xFB4F), (0xFF00, 0xFFEF),
           (0x1D400, 0x1D7FF), (0x1F300, 0x1FAFF), (0x300, 0x36F)]
WORDS = ["don't", "I'M", "we'll", "It's", "  ", "\n", "\r\n", "\t", "\n\n  \n", " \u3000", "\u00a0", "\u0085",
         "12345678", "3.14", "def f(x):\n    return x", "e\u0301", "a\u0308\u0323", "\u1112\u1161\u11ab", "\ufb01",
         "https://example.org/?q=1&r=2", "{\"a\": [1, 2.50, null]}", "👨‍👩‍👧", "🇩🇪", "İstanbul", "straße", "\u200b", "\ufeff",
         "١٢٣", "Ⅷ", "½", "x" * 70, "ab" * 40, " " * 30, "\u0000", "\u2028", "_", "--", "…"]


def strings(count, rng):
    for _ in range(count):
        parts = []
        for _ in range(rng.randint(1, 12)):
            kind = rng.random()
            if kind < 0.45:
                low, high = rng.choice(SCRIPTS)
                parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 8))))
            elif kind < 0.85:
                parts.append(rng.choice(WORDS))
            elif kind < 0.95:
                parts.append(" ")
            else:
                parts.append(rng.choice(CONTROL + ADDED))
        yield "".join(parts)


def texts_in(value):
    """Every text inside some JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def shared_texts(limit):
    """Texts of the files under $WEND_SHARED_DATA, a share of each."""
    root = os.environ.get("WEND_SHARED_DATA")
    if not root:
        return
    for path in sorted(pathlib.Path(root).rglob("*.json*")):
        taken = 0
        try:
            text = path.read_text()
            values = [json.loads(text)] if path.suffix == ".json" else map(json.loads, text.splitlines())
            for value in values:
                for one in texts_in(value):
                    if taken >= limit:
                        break
                    taken += 1
                    yield one.encode("utf-8", "replace").decode()
        except (ValueError, OSError):
            continue


def run(tool, *arguments, lines):
    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    done = subprocess.run([tool, *map(str, arguments)], input=data.encode(), capture_output=True, check=True)
    return done.stdout.decode().split("\n")[:-1]  # a text may hold other ends of lines


def compare_ids(name, tool, folder, texts):
    theirs = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    texts = list(texts)
    lines = run(tool, "encode", folder, lines=({"text": t} for t in texts))
    assert len(lines) == len(texts)
    bad = 0
    for text, line, expected in zip(texts, lines, theirs.encode_batch(texts, add_special_tokens=False)):
        ours = json.loads(line)
        decoded = theirs.decode(expected.ids, skip_special_tokens=False)
        if ours["ids"] != expected.ids or ours["text"] != decoded:
            bad += 1
            if bad <= 3:
                print(f"  {name}: {text!r}\n    ours   {ours['ids']} {ours['text']!r}\n"
                      f"    theirs {expected.ids} {decoded!r}")
    print(f"  {name}: {len(texts)} texts, {bad} differences")
    return bad


def speed(tool, folder, texts):
    size = sum(len(t.encode()) for t in texts)
    ours = float(run(tool, "time", folder, lines=({"text": t} for t in texts))[0])
    theirs = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    begin = time.perf_counter()
    for text in texts:
        theirs.encode(text)
    seconds = time.perf_counter() - begin
    print(f"  encoding {size / 1e6:.1f} MB: {size / ours / 1e6:.1f} MB/s, theirs {size / seconds / 1e6:.1f} MB/s")


def compare_training(tool, folder, texts):
    run(tool, "train", folder / "ours", 700, lines=({"text": t} for t in texts))
    ours = json.loads((folder / "ours" / "tokenizer.json").read_text())
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.normalizer = tokenizers.normalizers.NFC()
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [tokenizers.pre_tokenizers.Split(tokenizers.Regex(QWEN2), "isolated"),
         tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    theirs.train_from_iterator(texts, tokenizers.trainers.BpeTrainer(
        vocab_size=700, min_frequency=2, special_tokens=CONTROL + ADDED, show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()))
    expected = json.loads(theirs.to_str())["model"]
    same = ours["model"]["vocab"] == expected["vocab"] and ours["model"]["merges"] == expected["merges"]
    print(f"  training: {len(expected['merges'])} merges, {'the same' if same else 'DIFFERENT'}")
    return 0 if same else 1


def template(name):
    """As transformers compiles it."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                                               extensions=[jinja2.ext.loopcontrols])
    environment.filters["tojson"] = lambda x, indent=None: json.dumps(x, ensure_ascii=False, indent=indent)

    def fail(message):
        raise jinja2.TemplateError(message)
    environment.globals["raise_exception"] = fail
    return environment.from_string(package_file("trl", f"chat_templates/{name}.jinja").read_text())


def dialogue(rng, some_texts):
    """Messages of any shape: calls in parallel, results, empty contents, thoughts, odd orders."""
    say = lambda: rng.choice(some_texts)  # noqa: E731
    call = lambda: {"type": "function", "function": {  # noqa: E731
        "name": rng.choice(["alarm", "Kalender.öffnen"]),
        "arguments": {say()[:12]: rng.choice([1, 2.5, None, True, say(), [1, {"a": say()}], {}])
                      for _ in range(rng.randint(0, 3))}}}
    messages = [{"role": "system", "content": say()}] if rng.random() < 0.6 else []
    messages.append({"role": "user", "content": say()})
    for _ in range(rng.randint(0, 6)):
        kind = rng.random()
        if kind < 0.3:
            messages.append({"role": "user", "content": say()})
        elif kind < 0.5:
            thought = rng.choice(["", f"<think>\n{say()}\n</think>\n\n", "</think>"])
            messages.append({"role": "assistant", "content": thought + say()})
        else:
            calls = [call() for _ in range(rng.randint(1, 3))]
            messages.append({"role": "assistant", "content": rng.choice(["", say()]), "tool_calls": calls})
            for _ in calls:
                messages.append({"role": "tool", "content": say()})
    tools = [{"type": "function", "function": {"name": f"tool_{i}", "description": say(), "parameters": {
        "type": "object", "properties": {"q": {"type": "string", "enum": [say(), say()]}}, "required": []}}}
        for i in range(rng.choice([0, 0, 1, 3]))]
    return {"messages": messages, "tools": tools, "add_generation_prompt": rng.random() < 0.5}


def expected_chat(name, of, one):
    tools = one["tools"] or None
    extra = {} if name == "qwen3" else {"bos_token": "<|begin_of_text|>"}
    if name == "qwen3":
        extra["enable_thinking"] = False
    if tools is not None or name == "qwen3":
        extra["tools"] = tools
    return of.render(messages=one["messages"], add_generation_prompt=one["add_generation_prompt"], **extra)


def compare_chat(tool, name, file, dialogues):
    of = template(file)
    bad = shown = 0
    lines = run(tool, "chat", name, lines=dialogues)
    for one, line in zip(dialogues, lines):
        ours = json.loads(line)
        try:
            expected = {"text": expected_chat(name, of, one)}
        except jinja2.TemplateError:
            expected = None
        if ours != expected and not (expected is None and "error" in ours):
            bad += 1
            if (shown := shown + 1) <= 3:
                print(f"  {name}: {json.dumps(one)[:600]}\n    ours   {ours}\n    theirs {expected}")
    print(f"  {name}: {len(dialogues)} dialogues, {bad} differences")
    return bad


def single_calls(one):
    """llama3 takes one call a message; a dialogue with more is refused by both sides, one is enough to see that."""
    messages = [dict(m) for m in one["messages"]]
    for message in messages:
        if "tool_calls" in message:
            message["tool_calls"] = message["tool_calls"][:1]
    return one | {"messages": messages}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tool, rng = options.bin / "tokenize", random.Random(options.seed)
    ranks = {}
    for line in package_file("dashscope", "resources/qwen.tiktoken").read_bytes().splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    merges = merges_of(ranks)
    generated = list(strings(options.count, rng))
    shared = list(shared_texts(400))
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        for name, pattern, nfc, ignore, old in (("gpt2", None, False, False, True), ("qwen2", QWEN2, True, False, False),
                                                ("llama3", LLAMA3, False, True, False)):
            folder = pathlib.Path(top) / name
            folder.mkdir()
            (folder / "tokenizer.json").write_text(json.dumps(document(ranks, merges, pattern, nfc, ignore, old)))
            failed += compare_ids(name, tool, folder, generated + shared)
        plain = [t for t in generated if not any(added in t for added in CONTROL + ADDED)]
        failed += compare_training(tool, pathlib.Path(top), plain[:3000])
        failed += compare_ids("trained", tool, pathlib.Path(top) / "ours", generated)
        speed(tool, pathlib.Path(top) / "qwen2", shared or generated)
    some = [t for t in generated if "\x00" not in t][:2000] + ["", " x ", "<tool_response>\nx</tool_response>", "\n\ny\n"]
    dialogues = [dialogue(rng, some) for _ in range(2000)]
    failed += compare_chat(tool, "qwen3", "qwen3", dialogues)
    failed += compare_chat(tool, "llama3", "llama3_1", dialogues[:200] + [single_calls(d) for d in dialogues])
    if failed:
        sys.exit(f"{failed} differences")


if __name__ == "__main__":
    main()
