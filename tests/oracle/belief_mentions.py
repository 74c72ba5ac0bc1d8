"""The slots that a message sets (docs/recognition.md, "Choices" to "Order")."""

from belief_entities import entities_of, shape_of
from belief_parameters import COMMON, stems
from belief_text import Text, name_words, phrase_at, stem
from values import folded

BEFORE_NEAR = {0: 4, 1: 4, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2}
BEHIND_NEAR = {0: 4, 1: 2}
DESCRIBED_NEAR = {0: 2, 1: 2, 2: 1, 3: 1}
WAY_ENDS = frozenset(["and", "or", "but", "then"])
GROUPS = [
    stems(group.split())
    for group in (
        "people person guest party passenger attendee traveler diner seat",
        "price cost fare fee amount budget",
        "origin departure leaving source",
        "destination arrival",
        "city location place town area",
        "rating star score",
        "type kind category sort",
        "movie film",
        "phone telephone mobile",
    )
]
FROM_STEMS = stems("start begin from departure origin source pickup checkin after min".split())
TO_STEMS = stems("end to destination arrival return dropoff checkout until before max target".split())
ROLES = [
    ("from starting beginning since after leaving departing".split(), FROM_STEMS, TO_STEMS),
    ("to until till through before ending by returning".split(), TO_STEMS, FROM_STEMS),
    ("in near".split(), stems("city location place area town country state region neighborhood".split()), frozenset()),
    ("called named".split(), stems("name title label".split()), frozenset()),
    (["by"], stems("artist author director writer".split()), frozenset()),
]
REJECTING = [Text(phrase) for phrase in ("not", "instead of", "rather than", "no longer", "don't want")]
CHANGING = stems("change move switch update modify replace swap reschedule correct".split())
CORRECTIONS = [Text(phrase) for phrase in ("no", "actually", "sorry", "rather", "i mean", "i meant", "make that")]
FLAG_WORDS = frozenset("is has with include want need should enable use allow add".split())
NEGATIONS = [Text(phrase) for phrase in ("no", "not", "without", "don't", "disable", "remove", "cancel", "exclude")]
ANSWER_BEGINS = [
    Text(phrase)
    for phrase in (
        "it's it is at in on for to the a an my please i would like want yes sure ok okay thanks".split()
    )
]
ANSWER_ENDS = frozenset(["please", "thanks", "thank", "you"])
NO_ANSWER = frozenset(["not", "no", "any", "know"])


class Candidate:
    """Something of the text that may be a value. `options`: parameter -> (value, B)."""

    def __init__(self, kind, first, end, options, weak=False, entity=None, value=None):
        self.kind = kind
        self.first = first
        self.end = end
        self.options = options
        self.weak = weak  # needs more than its own form
        self.entity = entity
        self.value = value
        self.rejected = False
        self.old = None  # the candidate whose value it replaces

    def same_kind(self, other):
        if self.kind == other.kind == "choice":
            return bool(self.options.keys() & other.options.keys())
        return self.kind == other.kind


class Mention:
    def __init__(self, place, param, value):
        self.place = place
        self.param = param
        self.value = value


# Choices and seen values.


def squashed(text):
    """Token texts of a choice without spaces, - and _, as one."""
    return "".join(token.text for token in text.tokens if token.text != "-").replace("_", "")


def choice_text(value):
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, (bool, int, float)) else None


def is_weak(text, value):
    words = [token for token in text.tokens if token.is_word]
    if not isinstance(value, str) or text.plain.strip().replace(".", "", 1).isdigit():
        return True
    return len(words) == 1 == len(text.tokens) and (len(words[0].text) <= 2 or words[0].text in COMMON)


def choice_places(text, wanted):
    """(first, end) wherever the text has the choice."""
    tokens = text.tokens
    for first, token in enumerate(tokens):
        if token.text == "-" or not wanted.startswith(token.text.replace("_", "")):
            continue
        so_far, end = "", first
        while end < len(tokens) and len(so_far) < len(wanted) and wanted.startswith(so_far):
            if tokens[end].text != "-":
                so_far += tokens[end].text.replace("_", "")
            end += 1
        if so_far == wanted:
            yield first, end


def choices_of(text, params):
    found = {}
    for param in params:
        if param.kind != "choice":
            continue
        for value in param.choices:
            said = choice_text(value)
            if not said:
                continue
            said = Text(said)
            wanted = squashed(said)
            for first, end in choice_places(text, wanted) if wanted else ():
                found.setdefault((first, end), []).append((param, value, is_weak(said, value)))
    kept = longest(text, found)
    candidates = []
    for (first, end), options in sorted(kept.items()):
        weak = all(weak for _, _, weak in options)
        values = {}
        for param, value, one_weak in options:
            values.setdefault(param, (value, 0 if one_weak else 3))
        candidates.append(Candidate("choice", first, end, values, weak=weak))
    return candidates


def longest(text, found):
    """Of overlapping places the longest, of equal ones the first."""
    kept = {}

    def size(place):
        return len(text.said(*place).encode("utf-8", "surrogatepass"))

    for place in sorted(found, key=lambda place: (-size(place), place)):
        if all(place[1] <= first or end <= place[0] for first, end in kept):
            kept[place] = found[place]
    return kept


class Seen:
    """A value of a tool return, with the attribute it was in."""

    def __init__(self, value, attribute):
        self.value = value
        said = Text(value if isinstance(value, str) else str(value))
        self.text = said
        self.bare = Text(value[1:]) if isinstance(value, str) and value.startswith("#") else None
        self.stems = [stem(word) for word in name_words(attribute or "")]

    def end_at(self, tokens, place):
        for phrase in (self.text, self.bare):
            if phrase is not None and phrase.tokens:
                end = phrase_at(tokens, phrase, place)
                if end is not None:
                    return end
        return None

    def base(self, param):
        mine, other = self.stems, param.stem_list
        if not mine:
            return None
        if mine == other:
            return 4
        if other[-len(mine) :] == mine or mine[-len(other) :] == other:
            return 3
        return None


def seen_candidates(text, seen, params):
    from belief_cues import whole_numbers

    places = {}
    order = sorted(range(len(seen)), key=lambda n: (-len(seen[n].text.plain.encode("utf-8", "surrogatepass")), -n))
    taken = []
    for number in order:
        value = seen[number]
        for first in range(len(text.tokens)):
            end = value.end_at(text.tokens, first)
            if end is None or not whole_numbers(text, first, end):
                continue
            if any(first < other_end and other < end for other, other_end in taken):
                continue
            taken.append((first, end))
            places[first] = (end, value)
    candidates = []
    for first, (end, value) in sorted(places.items()):
        options = {}
        for param in params:
            base, fitting = value.base(param), seen_value(param, value.value)
            if base is not None and fitting is not None:
                options[param] = (fitting[0], base)
        if options:
            candidates.append(Candidate("seen", first, end, options, value=value.value))
    return candidates


def seen_value(param, value):
    """A seen value for a parameter: (value,) or None where types or choices do not fit."""
    if param.kind in ("flag", "none"):
        return None
    if param.kind == "choice":
        return next(((choice,) for choice in param.choices if folded(choice) == folded(value)), None)
    if param.type in ("int", "real"):
        return (value,) if isinstance(value, int) else None
    if param.type == "text" and isinstance(value, int):
        return (str(value),)
    return (value,) if param.type in ("text", "any") else None


# Scores.


class Scores:
    def __init__(self, text, entities, candidates, asked, slots, acting):
        self.text = text
        self.candidates = candidates
        self.asked = asked
        self.slots = slots
        self.acting = acting
        self.in_entity = set()
        for entity in entities:
            self.in_entity.update(range(entity.first, entity.end))
        self.stems = [stem(token.text) if token.is_word else None for token in text.tokens]

    def score(self, candidate, param):
        """A, or None where the candidate cannot go to the parameter."""
        if param not in candidate.options:
            return None
        base = candidate.options[param][1]
        more = self.near(candidate, param) + self.described(candidate, param) + self.role(candidate, param)
        more += 4 if param in self.asked else 0
        more += self.state(candidate, param)
        needs_more = candidate.kind in ("number", "percent", "name") or (candidate.kind == "choice" and candidate.weak)
        if base + more < 3 or (needs_more and more < 2):
            return None
        return base + more

    def near(self, candidate, param):
        def worth(place):
            found = self.stems[place]
            if found in param.stems:
                return 0
            if any(found in group and not group.isdisjoint(param.stems) for group in GROUPS):
                return -1
            return None

        return self.nearest(candidate, param, worth, BEFORE_NEAR, BEHIND_NEAR)

    def described(self, candidate, param):
        def worth(place):
            return 0 if self.stems[place] in param.described else None

        return self.nearest(candidate, param, worth, DESCRIBED_NEAR, DESCRIBED_NEAR)

    def nearest(self, candidate, param, worth, before, behind):
        best = 0
        for places, points in ((self.way_back(candidate, param), before), (self.way_on(candidate), behind)):
            for distance, place in enumerate(places):
                if distance not in points:
                    break
                more = worth(place)
                if more is not None:
                    best = max(best, points[distance] + more)
        return best

    def way_back(self, candidate, param):
        """Words before the candidate, the nearest first, up to another candidate of its kind."""
        tokens = self.text.tokens
        stops = {
            place
            for other in self.candidates
            if other is not candidate
            and (param in other.options if candidate.kind == "choice" else other.same_kind(candidate))
            for place in range(other.first, other.end)
        }
        for place in range(candidate.first - 1, -1, -1):
            if tokens[place].sentence != tokens[candidate.first].sentence or place in stops:
                return
            if tokens[place].is_word:
                yield place

    def way_on(self, candidate):
        tokens = self.text.tokens
        for place in range(candidate.end, len(tokens)):
            token = tokens[place]
            if token.sentence != tokens[candidate.first].sentence or place in self.in_entity:
                return
            if token.kind == "mark" or token.text in WAY_ENDS:
                return
            yield place

    def role(self, candidate, param):
        tokens = self.text.tokens
        for place in range(candidate.first - 1, -1, -1):
            if tokens[place].sentence != tokens[candidate.first].sentence:
                return 0
            if tokens[place].is_word:
                return self.role_of(tokens[place].text, param)
        return 0

    @staticmethod
    def role_of(word, param):
        worth = 0
        for words, own, opposite in ROLES:
            if word in words:
                if own & param.stems:
                    return 3
                if opposite & param.stems:
                    worth = -3
        return worth

    def state(self, candidate, param):
        key = (param.tool, param.name)
        if key not in self.slots:
            return 0
        now = self.slots[key]
        if candidate.old is not None and param in candidate.old.options:
            if folded(candidate.old.options[param][0]) == folded(now):
                return 6
        if not self.acting:
            return 0
        return 3 if self.same_shape(candidate, now) else 0

    @staticmethod
    def same_shape(candidate, now):
        if candidate.kind == "choice":
            return any(folded(value) == folded(now) for param in candidate.options for value in param.choices)
        kind = shape_of(candidate.value) if candidate.kind == "seen" else candidate.kind
        return kind is not None and shape_of(now) == kind


# What is not meant, and what replaces what.


def behind_phrase(text, place, phrases, words):
    """Whether one of the phrases is before the place, with at most so many words between and nothing else."""
    for phrase in phrases:
        for start in range(max(0, place - words - len(phrase.tokens)), place):
            end = phrase_at(text.tokens, phrase, start)
            if end is None or end > place or text.tokens[start].sentence != text.tokens[place].sentence:
                continue
            between = text.tokens[end:place]
            if len(between) <= words and all(token.is_word for token in between):
                return start
    return None


def reject(text, candidates):
    tokens = text.tokens
    for candidate in candidates:
        if behind_phrase(text, candidate.first, REJECTING, 2) is not None:
            candidate.rejected = True
    for first in candidates:
        second = next_of_kind(candidates, first)
        if second is None:
            continue
        between = [token.text for token in tokens[first.end : second.first]]
        if between == ["or"]:
            first.rejected = second.rejected = True
        elif is_change(text, first, second):
            first.rejected, second.old = True, first
    replaced_by_phrase(text, candidates)


def next_of_kind(candidates, first):
    later = [c for c in candidates if c is not first and c.first >= first.end and c.same_kind(first)]
    return min(later, key=lambda c: c.first, default=None)


def previous_of_kind(candidates, second):
    earlier = [c for c in candidates if c is not second and c.end <= second.first and c.same_kind(second)]
    return max(earlier, key=lambda c: c.end, default=None)


def is_change(text, first, second):
    tokens = text.tokens
    if tokens[first.first].sentence != tokens[second.first].sentence:
        return False
    between = tokens[first.end : second.first]
    words = [token for token in between if token.is_word]
    if not words or words[-1].text not in ("to", "into", "with") or len(words) > 2:
        return False
    start = next(begin for begin, end in text.sentence_spans if begin <= first.first < end)
    return any(stem(token.text) in CHANGING for token in tokens[start : first.first] if token.is_word)


def replaced_by_phrase(text, candidates):
    """not X but Y; Y instead of X; Y rather than X; Y, not X."""
    tokens = text.tokens
    for old in candidates:
        for phrase in (Text("not"), Text("instead of"), Text("rather than")):
            start = old.first - len(phrase.tokens)
            if start < 0 or phrase_at(tokens, phrase, start) is None:
                continue
            if tokens[start].text == "not" and old.end < len(tokens) and tokens[old.end].text == "but":
                new = next_of_kind(candidates, old)
            else:
                new = previous_of_kind(candidates, old)
            if new is not None and tokens[new.first].sentence == tokens[old.first].sentence:
                old.rejected, new.old = True, old


# Assignment.


def assign(text, candidates, scores, params, tool_scores):
    """Rounds in which each candidate goes to its best free parameter; returns mentions of single parameters and lists."""
    left = [candidate for candidate in candidates if not candidate.rejected]
    free = list(params)
    taken = []
    worth = {}
    for candidate in left:
        for param in params:
            score = scores.score(candidate, param)
            if score is not None:
                worth[candidate, param] = 4 * score + tool_scores[param.tool]
    changed = True
    while changed:
        changed = False
        best = {}
        for candidate in left:
            param = best_parameter(candidate, free, worth)
            if param is not None:
                best.setdefault(param, []).append(candidate)
        for param, rivals in best.items():
            if param.is_list:
                chosen, out = rivals, rivals
            else:
                chosen, out = chosen_of(text, rivals, param, worth)
                if chosen:
                    free.remove(param)
            taken += [(candidate, param) for candidate in chosen]
            left = [candidate for candidate in left if candidate not in out]
            changed = changed or bool(out)
    return taken


def best_parameter(candidate, free, worth):
    most, best, tie = None, None, False
    for param in free:
        total = worth.get((candidate, param))
        if total is None:
            continue
        if most is None or total > most:
            most, best, tie = total, param, False
        elif total == most:
            tie = True
    return None if tie else best


def chosen_of(text, rivals, param, worth):
    """(chosen, no longer left) of candidates that all want one parameter."""
    most = max(worth[candidate, param] for candidate in rivals)
    rivals = sorted((c for c in rivals if worth[c, param] == most), key=lambda c: c.first)
    if all(folded(c.options[param][0]) == folded(rivals[0].options[param][0]) for c in rivals):
        return rivals[:1], rivals[:1]
    last, before = rivals[-1], rivals[-2]
    for place in range(before.end, last.first):
        for phrase in CORRECTIONS:
            end = phrase_at(text.tokens, phrase, place)
            if end is not None and end <= last.first:
                return [last], rivals
    return [], rivals


# The whole.


def mentioned(text, tools, seen, asked, slots, tool=None, words_of_cues=lambda text: ()):
    """(tool, param, value) of what a Text sets, in order. `asked`: parameters that the last reply asked for; `tool`:
    the action's, or None."""
    if not text.tokens:
        return []
    params = tools.params(tool)
    entities = entities_of(text)
    candidates = entity_candidates(entities, params) + choices_of(text, params) + seen_candidates(text, seen, params)
    reject(text, candidates)
    message_stems = frozenset(stem(token.text) for token in text.tokens if token.is_word)
    tool_scores = {
        each.name: 0 if tool is not None else tools.score(each, message_stems, slots) for each in tools.tools
    }
    scores = Scores(text, entities, candidates, asked, slots, tool is not None)
    mentions = mentions_of(assign(text, candidates, scores, params, tool_scores), slots)
    mentions += flags(text, params, tool_scores)
    if not mentions:
        mentions = answer(text, asked, params, words_of_cues(text) if asked else ())
    mentions.sort(key=lambda mention: mention.place)
    return [(mention.param.tool, mention.param.name, mention.value) for mention in mentions]


def entity_candidates(entities, params):
    candidates = []
    for entity in entities:
        options = {}
        for param in params:
            if param.takes(entity):
                value = param.value_of(entity)
                if value is not None:
                    options[param] = (value[0], param.base(entity))
        candidates.append(Candidate(entity.kind, entity.first, entity.end, options, entity=entity, value=entity.value))
    return candidates


def mentions_of(taken, slots):
    mentions, lists = [], {}
    for candidate, param in sorted(taken, key=lambda pair: pair[0].first):
        value = candidate.options[param][0]
        if candidate.entity is not None and candidate.entity.open:
            value = in_the_afternoon(value, slots.get((param.tool, param.name)))
        if not param.is_list:
            mentions.append(Mention(candidate.first, param, value))
        elif param in lists:
            lists[param].value.append(value)
        else:
            lists[param] = Mention(candidate.first, param, [value])
            mentions.append(lists[param])
    return mentions


def in_the_afternoon(value, now):
    """An open time for a parameter whose value now is one from 12:00 on."""
    if isinstance(now, str) and isinstance(value, str) and len(value) == 5:
        found = [entity for entity in entities_of(Text(now)) if entity.kind == "time"]
        if len(found) == 1 and found[0].value >= "12:00":
            return f"{int(value[:2]) + 12:02}{value[2:]}"
    return value


def flags(text, params, tool_scores):
    found = {}  # place -> [(param, value)]
    for param in params:
        if param.kind != "flag" or param.is_list:
            continue
        words = [stem(word) for word in param.words if word not in FLAG_WORDS]
        place = flag_place(text, words)
        if place is not None:
            found.setdefault(place, []).append((param, behind_phrase(text, place, NEGATIONS, 3) is None))
    mentions = []
    for place, options in found.items():
        most = max(tool_scores[param.tool] for param, _ in options)
        best = [(param, value) for param, value in options if tool_scores[param.tool] == most]
        if len(best) == 1:
            mentions.append(Mention(place, *best[0]))
    return mentions


def flag_place(text, words):
    """Where these stems follow each other with at most 2 words between, in a sentence that asks nothing."""
    if not words:
        return None
    tokens = text.tokens
    for first, end in text.sentence_spans:
        if tokens[end - 1].text in ("?", "\uff1f", "\u061f"):
            continue
        said = [(place, stem(tokens[place].text)) for place in range(first, end) if tokens[place].is_word]
        for start, (place, word) in enumerate(said):
            if word == words[0] and follow(said, start + 1, words[1:]):
                return place
    return None


def follow(said, start, words):
    if not words:
        return True
    return any(
        said[place][1] == words[0] and follow(said, place + 1, words[1:])
        for place in range(start, min(start + 3, len(said)))
    )


def answer(text, asked, params, cue_words):
    if len(asked) != 1:
        return []
    param = next(iter(asked))
    if param not in params or param.kind not in ("text", "name", "id") or param.is_list:
        return []
    tokens = text.tokens
    if len(text.sentence_spans) != 1 or any(token.text in ("?", "\uff1f", "\u061f") for token in tokens):
        return []
    first, end = 0, len(tokens)
    while True:
        ends = [phrase_at(tokens, phrase, first) for phrase in ANSWER_BEGINS] if first < end else []
        ends = [place for place in ends if place is not None]
        if ends:
            first = max(ends)
        elif first < end and tokens[first].kind == "mark":
            first += 1
        else:
            break
    while end > first and (tokens[end - 1].text in ANSWER_ENDS or tokens[end - 1].kind == "mark"):
        end -= 1
    words = [token.text for token in tokens[first:end] if token.is_word]
    if not 1 <= len(words) <= 6 or any(word in NO_ANSWER or word in cue_words for word in words):
        return []
    said = text.said(first, end)
    return [Mention(first, param, said)] if param.type in ("text", "any") else []
