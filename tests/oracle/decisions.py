"""Points that docs/metrics.md leaves open, each with the reading that the reference takes unless told otherwise.

`run.py --decide NAME=yes|no` takes the other one, to see whether a difference comes from there.
"""

OPEN = {
    # Han, kana, Hangul and Thai letters count as breaks between words: their scripts put no spaces between words.
    "unspaced_scripts_break_words": False,
    # What is made up is not evaluated without gold by turn, because gold values count as grounded.
    "halluc_needs_gold": True,
    # The single-step reward matches calls loosely (in-domain data), not strictly (BFCL).
    "single_step_loose": True,
    # The single-step reward takes 0.5 off for each call out of the pool, not for each tool.
    "single_step_invalid_by_call": True,
    # A partial total is clamped like a full one.
    "clamp_partial_totals": True,
}
