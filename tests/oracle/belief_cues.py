"""Which cues of specs/iacm/belief.wend a text has, and what they say (docs/recognition.md, "Cues")."""

from belief_text import Text, phrase_at

LABELS = ("none", "modified", "interrupted", "reset", "clarify", "accumulate")
CUES = (
    ("modified", ("change", "make it", "instead", "actually", "not * but"), 1.0),
    ("modified", ("rather", "i meant", "correct that", "update"), 1.0),
    ("interrupted", ("wait, first", "before that", "by the way"), 1.2),
    ("interrupted", ("something else", "on second thought"), 1.1),
    ("reset", ("never mind", "forget it", "cancel that", "start over", "scrap that"), 1.5),
    ("clarify", ("which one", "what do you mean", "not sure", "i don't know", "something like"), 0.8),
    ("accumulate", ("also", "as well", "and then", "in addition"), 0.9),
    ("accumulate", ("at the same time", "one more thing"), 0.9),
)


class Cue:
    def __init__(self, label, phrase, weight):
        self.label = label
        self.weight = weight
        self.parts = [Text(part) for part in phrase.split("*")]

    def matches(self, text):
        return bool(self.places(text))

    def places(self, text):
        """(first, end) of the first place where the cue matches, or None."""
        for first in range(len(text.tokens)):
            end = self.part_end(text, 0, first)
            if end is not None:
                last = self.rest_end(text, 1, end, text.tokens[first].sentence)
                if last is not None:
                    return first, last
        return None

    def part_end(self, text, number, place):
        end = phrase_at(text.tokens, self.parts[number], place)
        return end if end is not None and whole_numbers(text, place, end) else None

    def rest_end(self, text, number, place, sentence):
        """The end of the parts from `number` on, each at its first place from `place` on in the sentence."""
        if number == len(self.parts):
            return place
        for start in range(place, len(text.tokens)):
            end = self.part_end(text, number, start)
            if end is not None and text.tokens[end - 1].sentence == sentence:
                return self.rest_end(text, number + 1, end, sentence)
            if text.tokens[start].sentence != sentence:
                return None
        return None


def whole_numbers(text, first, end):
    """A part that begins or ends with a digit does not cut a longer number."""
    tokens = text.tokens
    if tokens[first].text[0] in "0123456789" and first > 1 and tokens[first].glued and tokens[first - 1].glued:
        if tokens[first - 1].text in ".,-" and tokens[first - 2].text[-1] in "0123456789":
            return False
    if tokens[end - 1].text[-1] in "0123456789" and end + 1 < len(tokens) and tokens[end].glued:
        if tokens[end].text in ".,-" and tokens[end + 1].glued and tokens[end + 1].text[0] in "0123456789":
            return False
    return True


ALL = [Cue(label, phrase, weight) for label, phrases, weight in CUES for phrase in phrases]


def classify(text):
    """(label, confidence) of a Text."""
    sums = dict.fromkeys(LABELS, 0.0)
    for cue in ALL:
        if cue.matches(text):
            sums[cue.label] += cue.weight
    label = max(LABELS, key=lambda name: sums[name])  # the first of equal ones
    most, total = sums[label], sum(sums.values())
    if most <= 0:
        return LABELS[0], 0.5
    return label, most / total * most / (most + 0.5)
