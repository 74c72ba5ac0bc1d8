"""Choices and seen values that a message names (docs/recognition.md, "Choices", "Seen values")."""

from belief_cues import whole_numbers
from belief_parameters import COMMON
from belief_text import Text, name_words, phrase_at, stem

ATTRIBUTE_STEMS = 4



class Candidate:
    """Something of the text that may be a value. `options`: parameter -> (value, B)."""

    def __init__(self, kind, first, end, options, entity=None, attributes=frozenset()):
        self.kind = kind
        self.first = first
        self.end = end
        self.options = options
        self.entity = entity
        self.attributes = attributes  # of seen values
        self.rejected = False
        self.old = None  # the candidate whose value it replaces

    def same_kind(self, other):
        if self.kind == other.kind == "choice":
            return bool(self.options.keys() & other.options.keys())
        if self.kind == other.kind == "seen":
            return bool(self.attributes & other.attributes)
        return self.kind == other.kind


def choice_text(value):
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, (bool, int, float)) else None


def is_weak(value, parts):
    if not isinstance(value, str) or value.strip().replace(".", "", 1).isdigit():
        return True
    return len(parts) == 1 and (len(parts[0].text) <= 2 or parts[0].text in COMMON)


def without_joints(tokens):
    """Tokens with places, without each `-` between words: (place, token, glued)."""
    kept, joint = [], False
    for place, token in enumerate(tokens):
        between = 0 < place < len(tokens) - 1 and tokens[place - 1].is_word and tokens[place + 1].is_word
        if token.text == "-" and between:
            joint = True
            continue
        kept.append((place, token, token.glued and not joint))
        joint = False
    return kept


class Choice:
    def __init__(self, param, value, said):
        text = Text(said)
        self.param = param
        self.value = value
        self.parts = without_joints(text.tokens)
        self.weak = is_weak(value, [part[1] for part in self.parts])

    def end_at(self, places, start):
        """The token behind the choice if it begins at this one of the places, or None."""
        if not self.parts or start + len(self.parts) > len(places):
            return None
        for offset, (_, part, glued) in enumerate(self.parts):
            _, token, token_glued = places[start + offset]
            if token.text != part.text or (offset > 0 and token_glued != glued):
                return None
        return places[start + len(self.parts) - 1][0] + 1


def choices_of(text, params):
    choices = [
        Choice(param, value, said)
        for param in params
        if param.kind == "choice"
        for value in param.choices
        if choice_text(value)
        for said in dict.fromkeys([choice_text(value), choice_text(value).replace("_", " ")])
    ]
    places = without_joints(text.tokens)
    candidates, behind = [], 0
    for start, (first, _, _) in enumerate(places):
        if first < behind:
            continue
        ends = [(choice.end_at(places, start), choice) for choice in choices]
        ends = [(end, choice) for end, choice in ends if end is not None and whole_numbers(text, first, end)]
        if ends:
            behind = max(end for end, _ in ends)
            options = {}
            for end, choice in ends:
                if end == behind:
                    options.setdefault(choice.param, (choice.value, 0 if choice.weak else 3))
            candidates.append(Candidate("choice", first, behind, options))
    return candidates


class Seen:
    """A value of a tool return, with the attribute it was in."""

    def __init__(self, value, attribute):
        self.value = value
        self.attribute = attribute
        said = Text(value if isinstance(value, str) else str(value))
        self.text = said
        self.bare = Text(value[1:]) if isinstance(value, str) and value.startswith("#") else None
        self.stems = [stem(word) for word in name_words(attribute or "")][-ATTRIBUTE_STEMS:]

    def end_at(self, tokens, place):
        for phrase in (self.text, self.bare):
            if phrase is not None and phrase.tokens:
                end = phrase_at(tokens, phrase, place)
                if end is not None:
                    return end
        return None

    def base(self, param):
        mine, other = self.stems, param.stem_list[-ATTRIBUTE_STEMS:]
        if not mine or not other:
            return None
        if mine == other:
            return 4
        if other[-len(mine) :] == mine or mine[-len(other) :] == other:
            return 3
        return None


def seen_candidates(text, seen, params):
    """From left to right, at each place the longest ones; of equal values the newest."""
    candidates, behind = [], 0
    for first in range(len(text.tokens)):
        if first < behind:
            continue
        ends = [(value.end_at(text.tokens, first), value) for value in reversed(seen)]
        ends = [(end, value) for end, value in ends if end is not None and whole_numbers(text, first, end)]
        if not ends:
            continue
        behind = max(end for end, _ in ends)
        longest = [value for end, value in ends if end == behind]
        candidates.append(SeenCandidate(first, behind, longest, params))
    return candidates


class SeenCandidate(Candidate):
    """Values of one place, each seen in an attribute."""

    def __init__(self, first, end, values, params):
        options = {}
        for value in values:
            for param in params:
                base, fitting = value.base(param), seen_value(param, value.value)
                if base is not None and fitting is not None and base > options.get(param, (None, 0))[1]:
                    options[param] = (fitting[0], base)
        super().__init__("seen", first, end, options, attributes=frozenset(value.attribute for value in values))
        self.values = values
        self.params = params

    def split(self, attributes):
        """(those that were seen in one of the attributes, the others); None where there is none."""
        parts = [], []
        for value in self.values:
            parts[value.attribute not in attributes].append(value)
        return [part and SeenCandidate(self.first, self.end, part, self.params) or None for part in parts]

    def drop(self, attributes):
        """Takes away what was seen in these attributes; without the rest it is rejected."""
        rest = self.split(attributes)[1]
        if rest is None:
            self.rejected = True
        else:
            self.options, self.attributes, self.values = rest.options, rest.attributes, rest.values


def seen_value(param, value):
    """A seen value for a parameter: (value,) or None where it takes none or types do not fit."""
    if param.kind in ("choice", "flag", "none"):
        return None
    if param.type in ("int", "real"):
        return (value,) if isinstance(value, int) else None
    if param.type == "text" and isinstance(value, int) and not param.is_list:
        return (str(value),)
    return (value,) if param.type in ("text", "any") else None
