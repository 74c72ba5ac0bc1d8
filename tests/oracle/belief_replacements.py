"""A text said in place of the one that a parameter has now (docs/recognition.md, "Replacements")."""

from belief_cues import whole_numbers
from belief_entities import NAME_TRIGGERS, name_end
from belief_parameters import COMMON
from belief_text import Text, phrase_at, stem

WORDS = 6
CHANGING = frozenset(
    stem(word) for word in "change move switch update modify replace swap reschedule correct".split()
)
DENIALS = [Text(phrase) for phrase in ("not", "instead of", "rather than")]
JOINTS = frozenset("to into with for by".split())
LEADS = [Text(f"{start} {end}") for start, ends in (("make", ("it", "that")), ("i", ("mean", "meant", "want", "prefer", "said"))) for end in ends]
LEADS.append(Text("actually"))
NAME_LEADS = frozenset(
    (
        "sorry hmm well oh ah wait hey hi hello nope no yes yeah yep sure ok okay actually rather instead maybe perhaps "
        "please thanks great good fine right make book find search choose pick select use try take get go fly travel give "
        "show set put play change move switch replace update prefer say want need do to in from at for near by why how "
        "what when where who if and or but so also just only it that this i we you he she they let"
    ).split()
)
VAGUE = frozenset(
    (
        "something somewhere someone somebody anything anywhere anyone anybody everything everywhere everyone everybody "
        "nothing nowhere whatever wherever there here later no not other another else different t"
    ).split()
)
COMPARISONS = frozenset(
    (
        "cheaper cheapest earlier earliest later latest shorter shortest longer longest nearer nearest closer closest "
        "smaller smallest larger largest bigger biggest newer newest older oldest"
    ).split()
)
JOINING = frozenset(["and", "or", "but", "then"])
NAME_INSIDE = frozenset("of de del la the".split())
TAILS = frozenset("please thanks thank you".split())


def replacements(text, entities, params, slots, tool_scores, near):
    """[(first, end, param, value, (first, end) of the old value)], in order. `near(place, param)`: whether the word
    is one of the parameter's name."""
    return Finder(text, entities, params, slots, tool_scores, near).find()


class Finder:
    def __init__(self, text, entities, params, slots, tool_scores, near):
        self.text = text
        self.tokens = text.tokens
        self.entities = entities
        self.tool_scores = tool_scores
        self.near = near
        self.olds = []
        for param in params:
            value = slots.get((param.tool, param.name))
            if param.kind == "text" and not param.is_list and param.type in ("text", "any") and is_short(value):
                self.olds.append((param, Text(value)))

    def find(self):
        found, taken = [], set()
        for place in range(1, len(self.tokens)) if self.olds else ():
            cue = self.denial_before(place)
            param, end = self.old_at(place, cue is not None)
            if param is None or param.name in taken:
                continue
            run = None
            if cue is not None:
                run = self.instead_of(cue, end)
            elif self.word(end) in JOINTS:
                run = self.run_from(end + 1)
            if run:
                taken.add(param.name)
                found.append((*run, param, self.text.said(*run), (place, end)))
        return found

    # Small questions.

    def word(self, place):
        return self.tokens[place].text if 0 <= place < len(self.tokens) else None

    def joined(self, place, other):
        """Whether both are tokens of one sentence."""
        size = len(self.tokens)
        return 0 <= place < size and 0 <= other < size and self.tokens[place].sentence == self.tokens[other].sentence

    def is_name(self, place):
        return place < len(self.tokens) and name_end(self.text, place) > place

    def sign_before(self, place):
        """Whether a sign is glued before the token."""
        return 0 < place < len(self.tokens) and self.tokens[place].glued and not self.tokens[place - 1].is_word

    def ends_with(self, phrase, place):
        """Where the phrase begins that ends before the place, in its sentence; or None."""
        start = place - len(phrase.tokens)
        if start >= 0 and phrase_at(self.tokens, phrase, start) == place and self.joined(start, place):
            return start
        return None

    # The old value.

    def denial_before(self, place):
        starts = [self.ends_with(phrase, place) for phrase in DENIALS]
        return next((start for start in starts if start is not None), None)

    def change_before(self, place, param):
        if not self.joined(place - 1, place):
            return False
        if stem(self.word(place - 1)) in CHANGING:
            return True
        if self.word(place - 1) != "from":
            return False
        named = False
        for at in range(place - 2, max(-1, place - 6), -1):
            if not self.joined(at, place) or not self.tokens[at].is_word:
                return False
            if stem(self.word(at)) in CHANGING:
                return named
            named = named or self.near(at, param)
        return False

    def old_at(self, place, denied):
        found = []
        for param, value in self.olds:
            end = phrase_at(self.tokens, value, place)
            if end is None or not self.joined(place, end - 1) or not whole_numbers(self.text, place, end):
                continue
            if denied or self.change_before(place, param):
                found.append((end, self.tool_scores[param.tool], param))
        if not found:
            return None, None
        best = max((end, score) for end, score, _ in found)
        chosen = [param for end, score, param in found if (end, score) == best]
        if any(param.name != chosen[0].name for param in chosen):
            return None, None
        return chosen[0], best[0]

    # The new value.

    def instead_of(self, cue, end):
        is_not = self.word(cue) == "not"
        comma = self.word(end) == ","
        at = end + comma
        if self.word(at) == "but":
            at += 1
            while self.word(at) in NAME_TRIGGERS or self.word(at) == "rather":
                at += 1
            return self.run_from(at)
        if comma and not is_not:
            leads = [k for k in range(at + 1, at + 5) if self.joined(at, k) and self.lead_before(k)]
            run = self.run_from(max(leads, default=at))
            if run:
                return run
        if self.word(cue - 1) == ",":
            return self.run_to(cue - 1)
        return None if is_not else self.run_to(cue)

    def run_from(self, at):
        if not self.joined(at - 1, at):
            return None
        first = at + 1 if self.word(at) == "the" and self.joined(at, at + 1) else at
        if self.is_name(first):
            end = name_end(self.text, first)
            if self.cut_by_sign(end) or (self.word(end) in ("and", "or") and self.is_name(end + 1)):
                return None
            return self.checked(first, end)
        end = at
        while self.joined(at, end) and end - at <= WORDS and self.plain(end) and self.word(end) not in TAILS:
            end += 1
        if self.cut_by_sign(end):
            return None
        if self.joined(at, end) and self.tokens[end].is_word and self.word(end) not in TAILS:
            return None
        return self.checked(at, end)

    def cut_by_sign(self, end):
        return self.sign_before(end + 1) and self.tokens[end].glued

    def run_to(self, end):
        begin = end
        for at in range(end - 1, -1, -1):
            if not self.joined(at, end) or self.text.words_between(at + 1, end) > WORDS:
                break
            if name_end(self.text, at) == end:
                begin = at
        if begin < end:
            if not self.joined(begin - 1, begin) or not self.tokens[begin - 1].is_word:
                while begin < end and self.word(begin) in NAME_LEADS:
                    begin += 1
            if begin == end or self.sign_before(begin):
                return None
            before = self.word(begin - 1) if self.joined(begin - 1, begin) else None
            if before in ("and", "or") or (before in NAME_INSIDE and before != "the"):
                return None
            return self.checked(begin, end)
        while end - begin <= WORDS and self.joined(begin - 1, end) and self.plain(begin - 1):
            if begin < end and self.lead_before(begin):
                break
            begin -= 1
        return self.checked(begin, end) if begin < end and self.lead_before(begin) else None

    def plain(self, place):
        word = self.word(place)
        return self.tokens[place].is_word and not any(word in words for words in (COMMON, JOINING, VAGUE, COMPARISONS))

    def lead_before(self, place):
        if any(self.ends_with(phrase, place) is not None for phrase in LEADS):
            return True
        if self.word(place - 1) != "to" or self.word(place - 2) not in ("it", "that") or place < 3:
            return False
        return self.joined(place - 3, place) and stem(self.word(place - 3)) in CHANGING

    def checked(self, first, end):
        """The run if it may be a value."""
        words = [token.text for token in self.tokens[first:end] if token.is_word]
        if not 1 <= len(words) <= WORDS or all(word in COMMON for word in words) or not VAGUE.isdisjoint(words):
            return None
        if any(ch < " " for ch in self.text.said(first, end)):
            return None
        for entity in self.entities:
            if entity.kind not in ("name", "id", "quoted") and entity.first < end and first < entity.end:
                return None
        return first, end


def is_short(value):
    if not isinstance(value, str) or any(ch in '"\\' or ch < " " for ch in value):
        return False
    return 2 <= len(value.encode("utf-8", "surrogatepass")) <= 64 and bool(Text(value).tokens)
