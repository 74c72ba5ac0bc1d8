"""The slots that a message sets (docs/recognition.md, "Choices" to "Order")."""

from belief_candidates import Candidate, choices_of, seen_candidates
from belief_entities import entities_of, moment
from belief_parameters import stems
from belief_replacements import CHANGING, replacements
from belief_text import Text, phrase_at, stem
from values import folded

BEFORE_NEAR = {0: 4, 1: 4, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2}
BEHIND_NEAR = {0: 4, 1: 2}
WAY_ENDS = frozenset(["and", "or", "but", "then"])
GROUPS = [
    stems(group.split())
    for group in (
        "people person guest party passenger attendee traveler diner seat ticket rider",
        "price cost fare fee amount budget",
        "origin departure leaving source",
        "destination arrival",
        "city location place town area",
        "rating star score",
        "type kind category sort",
        "movie film",
        "phone telephone mobile",
        "duration length stay day night",
    )
]
FROM_STEMS = stems("start begin from departure origin source pickup checkin after min".split())
TO_STEMS = stems("end to destination arrival return dropoff checkout until before max target recipient receiver".split())
ROLES = [
    ("from starting beginning since after leaving departing".split(), FROM_STEMS, TO_STEMS),
    ("to until till through before ending by returning".split(), TO_STEMS, FROM_STEMS),
    ("in near".split(), stems("city location place area town country state region neighborhood".split()), frozenset()),
    ("called named".split(), stems("name title label".split()), frozenset()),
    (["by"], stems("artist author director writer".split()), frozenset()),
]
REJECTING = [Text(phrase) for phrase in ("not", "instead of", "rather than", "no longer", "don't want")]
REPLACING = [Text(phrase) for phrase in ("not", "instead of", "rather than")]
CORRECTIONS = [Text(phrase) for phrase in ("no", "actually", "sorry", "rather", "i mean", "i meant", "make that")]
FLAG_WORDS = frozenset("is has with include want need should enable use allow allowed add".split())
NEGATIONS = frozenset(["no", "not", "without", "disable", "remove", "cancel", "exclude"])
ANSWER_BEGINS = [
    Text(phrase)
    for phrase in "it's it is at in on for to the a an my please i would like want yes sure ok okay thanks".split()
]
ANSWER_ENDS = frozenset(["please", "thanks", "thank", "you"])
YES = frozenset(["yes", "yeah", "yep", "sure"])
NO = frozenset(["no", "nope"])
NO_ANSWER = frozenset(["not", "no", "any", "know"])


class Mention:
    def __init__(self, place, param, value, seen=False):
        self.place = place
        self.param = param
        self.value = value
        self.seen = seen  # a seen value

    def is_offer(self, slots):
        """Whether agreeing to a text that mentions it takes it: a seen value, a new date or time."""
        return self.seen or (self.param.kind in ("date", "time") and (self.param.tool, self.param.name) in slots)


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
        more = self.near(candidate, param) + self.role(candidate, param)
        more += 4 if param in self.asked else 0
        more += self.state(candidate, param)
        return base + more if base + more >= 3 else None

    def worth(self, place, param):
        """0 for a word of the parameter's name, -1 for one of its group, else None."""
        found = self.stems[place]
        if found in param.said_stems:
            return 0
        if any(found in group and not group.isdisjoint(param.stems) for group in GROUPS):
            return -1
        return None

    def near(self, candidate, param):
        return self.nearest(candidate, param, lambda place: self.worth(place, param), BEFORE_NEAR, BEHIND_NEAR)

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
            if token.sentence != tokens[candidate.end - 1].sentence or place in self.in_entity:
                return
            if token.kind == "mark" or token.text in WAY_ENDS:
                return
            yield place

    def role(self, candidate, param):
        tokens = self.text.tokens
        sentence = tokens[candidate.first].sentence
        place = candidate.first - 1
        if place < 0 or tokens[place].sentence != sentence:
            return 0
        return self.role_of(tokens[place].text, param, self.changes_before(place, sentence))

    def changes_before(self, place, sentence):
        """Whether a word of change is before the place in the sentence."""
        while place > 0 and self.text.tokens[place - 1].sentence == sentence:
            place -= 1
            if self.stems[place] in CHANGING:
                return True
        return False

    @staticmethod
    def role_of(word, param, changed):
        worth = 0
        if changed and any(word in words and opposite for words, _, opposite in ROLES):
            return 0
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
        if candidate.old is not None and param in candidate.old.options:
            if folded(candidate.old.options[param][0]) == folded(self.slots[key]):
                return 6
        return 3 if self.acting else 0


# What is not meant, and what replaces what.


def behind_phrase(text, place, phrases, words, but=frozenset()):
    """Whether one of the phrases is before the place, with at most so many words between, nothing else and none of `but`."""
    for phrase in phrases:
        for start in range(max(0, place - words - len(phrase.tokens)), place):
            end = phrase_at(text.tokens, phrase, start)
            if end is None or end > place or text.tokens[start].sentence != text.tokens[place].sentence:
                continue
            between = text.tokens[end:place]
            if len(between) <= words and all(token.is_word and token.text not in but for token in between):
                return True
    return False


def without_hash(text, place):
    """The place, or that of a # glued before it."""
    return place - 1 if place > 0 and text.tokens[place].glued and text.tokens[place - 1].text == "#" else place


def reject(text, candidates):
    for candidate in candidates:
        if behind_phrase(text, without_hash(text, candidate.first), REJECTING, 2, WAY_ENDS):
            candidate.rejected = True
    for first in candidates:
        second = next_of_kind(text, candidates, first)
        if second is None:
            continue
        words = [token.text for token in text.tokens[first.end : second.first] if token.is_word]
        if "or" in words and len(words) <= 2:
            reject_both(first, second)
        elif is_change(text, first, second, words):
            replace(first, second)
    replaced_by_phrase(text, candidates)


def reject_both(first, second):
    if first.kind == "seen":
        shared = first.attributes & second.attributes
        first.drop(shared)
        second.drop(shared)
    else:
        first.rejected = second.rejected = True


def replace(first, second):
    """The second takes the place of the first."""
    if first.kind == "seen":
        shared = first.attributes & second.attributes
        second.old = first.split(shared)[0]
        first.drop(shared)
    else:
        first.rejected, second.old = True, first


def next_of_kind(text, candidates, first):
    """The nearest one of the kind behind it in the sentence."""
    later = [c for c in candidates if c.first >= first.end and c.same_kind(first) and same_sentence(text, c, first)]
    return min(later, key=lambda c: c.first, default=None)


def previous_of_kind(text, candidates, second):
    earlier = [c for c in candidates if c.end <= second.first and c.same_kind(second) and same_sentence(text, c, second)]
    return max(earlier, key=lambda c: c.end, default=None)


def same_sentence(text, one, other):
    return text.tokens[one.first].sentence == text.tokens[other.first].sentence


def is_change(text, first, second, words):
    """Whether a word of change is before the first and `to` or its like right before the second."""
    tokens = text.tokens
    if tokens[second.first - 1].text not in ("to", "into", "with") or len(words) > 2:
        return False
    start = next(begin for begin, end in text.sentence_spans if begin <= first.first < end)
    return any(stem(token.text) in CHANGING for token in tokens[start : first.first] if token.is_word)


def replaced_by_phrase(text, candidates):
    """not X but Y; Y instead of X; Y rather than X; Y, not X."""
    tokens = text.tokens
    for old in candidates:
        if not old.rejected:
            continue
        new = next_of_kind(text, candidates, old)
        words = [token.text for token in tokens[old.end : new.first] if token.is_word] if new else []
        if new is None or "but" not in words or len(words) > 2:
            new = None
            if behind_phrase(text, without_hash(text, old.first), REPLACING, 2, WAY_ENDS):
                new = previous_of_kind(text, candidates, old)
        if new is not None and not new.rejected:
            new.old = old


# Assignment.


def assign(text, candidates, scores, params, tool_scores, free):
    """Rounds in which each candidate goes to its best free parameter; returns (candidate, parameter) pairs."""
    worth = {}
    for candidate in candidates:
        for param in params if not candidate.rejected else ():
            score = scores.score(candidate, param)
            if score is not None:
                worth[candidate, param] = 4 * score + tool_scores[param.tool]
    order = {param: place for place, param in enumerate(params)}
    free = list(free)
    left = [candidate for candidate in candidates if not candidate.rejected]
    taken = []

    def settle(candidate):
        left[:] = [other for other in left if not overlap(other, candidate)]

    def give(candidate, param):
        settle(candidate)
        taken.append((candidate, param))
        if not param.is_list:
            free[:] = [other for other in free if other.is_list or other.name != param.name]

    while True:
        claims = {}  # (total, parameter's place) -> candidates, the greatest total first
        for candidate in left:
            param = best_parameter(candidate, free, worth)
            if param is not None:
                claims.setdefault((-worth[candidate, param], order[param]), []).append(candidate)
        changed = False
        for (_, place), rivals in sorted(claims.items(), key=lambda item: item[0]):
            param = params[place]
            if param not in free:
                continue
            rivals = [candidate for candidate in rivals if candidate in left]
            changed = changed or bool(rivals)
            if param.is_list:
                for candidate in rivals:
                    if candidate in left:
                        give(candidate, param)
            elif rivals:
                chosen = chosen_of(text, rivals, param)
                for candidate in rivals:
                    settle(candidate)
                if chosen:
                    give(chosen, param)
        if not changed:
            return taken + joined_to_lists(text, candidates, left, taken)


def overlap(one, other):
    return one.first < other.end and other.first < one.end


def joined_to_lists(text, candidates, left, taken):
    """Entities that `,` and `and` alone join to one of their kind, before them, that a list took."""
    found = [(candidate, param) for candidate, param in taken if param.is_list and candidate.entity is not None]
    joined, left = [], list(left)
    for candidate, param in found:  # grows
        other = next((c for c in left if c.first >= candidate.end and c.same_kind(candidate)), None)
        if other is None or param not in other.options or not same_sentence(text, candidate, other):
            continue
        between = text.texts(candidate.end, other.first)
        if between and all(word in (",", "and") for word in between):
            joined.append((other, param))
            found.append((other, param))
            left = [c for c in left if not overlap(c, other)]
    return joined


def best_parameter(candidate, free, worth):
    most, best, tie = None, None, False
    for param in free:
        total = worth.get((candidate, param))
        if total is None:
            continue
        if most is None or total > most:
            most, best, tie = total, param, False
        elif total == most:
            tie = tie or param.name != best.name
    return None if tie else best


def chosen_of(text, rivals, param):
    """The one of several candidates with the same total that gets the parameter, or None."""
    if all(folded(c.options[param][0]) == folded(rivals[0].options[param][0]) for c in rivals):
        return rivals[0]
    last, before = rivals[-1], rivals[-2]
    for place in range(before.end, last.first):
        for phrase in CORRECTIONS:
            end = phrase_at(text.tokens, phrase, place)
            if end is not None and end <= last.first:
                return last
    return None


# The whole.


AGREEING = [
    Text(phrase)
    for phrase in (
        "yes", "yeah", "yep", "yup", "sure", "ok", "okay", "correct", "right", "fine", "good", "great", "perfect", "awesome",
        "cool", "nice", "excellent", "wonderful", "absolutely", "definitely", "alright", "all right", "of course",
        "sounds", "that sounds", "that works", "that will work", "that'll work", "that's", "that is", "this is", "it is", "it's", "i like",
    )
]
DISAGREEING = frozenset(["no", "not", "other", "another", "else", "different", "t"])


def agrees(text):
    if not text.tokens or any(token.text in DISAGREEING for token in text.tokens):
        return False
    return any(phrase_at(text.tokens, phrase, 0) is not None for phrase in AGREEING)


def mentioned(text, tools, seen, asked, slots, tool=None):
    """The Mentions of what a Text sets, in order. `asked`: parameters that the last reply asked for; `tool`:
    the action's, or None."""
    if not text.tokens:
        return []
    params = tools.params(tool)
    entities = entities_of(text)
    candidates = entity_candidates(entities, params) + choices_of(text, params) + seen_candidates(text, seen, params)
    candidates.sort(key=lambda c: (c.first, -c.end, ("choice", "seen").index(c.kind) if c.entity is None else -1))
    reject(text, candidates)
    message_stems = frozenset(stem(token.text) for token in text.tokens if token.is_word)
    tool_scores = {
        each.name: 0 if tool is not None else tools.score(each, message_stems, slots) for each in tools.tools
    }
    scores = Scores(text, entities, candidates, asked, slots, tool is not None)
    mentions = replaced(text, entities, candidates, params, slots, tool_scores, scores)
    names = {mention.param.name for mention in mentions}
    free = [param for param in params if param.is_list or param.name not in names]
    mentions += mentions_of(assign(text, candidates, scores, params, tool_scores, free), slots)
    mentions += flags(text, params, tool_scores)
    if not mentions:
        mentions = answer(text, [param for param in params if param in asked])
    mentions.sort(key=lambda mention: mention.place)
    return mentions


def replaced(text, entities, candidates, params, slots, tool_scores, scores):
    """The mentions of texts said in place of those that hold; candidates at these places are rejected."""

    def near(place, param):
        return scores.worth(place, param) is not None

    mentions = []
    for first, end, param, value, old in replacements(text, entities, params, slots, tool_scores, near):
        mentions.append(Mention(first, param, value))
        for candidate in candidates:
            if any(begin < candidate.end and candidate.first < behind for begin, behind in ((first, end), old)):
                candidate.rejected = True
    return mentions


def entity_candidates(entities, params):
    candidates = []
    for entity in entities:
        options = {}
        for param in params:
            if param.takes(entity):
                value = param.value_of(entity)
                if value is not None:
                    options[param] = (value[0], param.base(entity))
        candidates.append(Candidate(entity.kind, entity.first, entity.end, options, entity=entity))
    return candidates


def mentions_of(taken, slots):
    mentions, lists = [], {}
    for candidate, param in sorted(taken, key=lambda pair: pair[0].first):
        value = candidate.options[param][0]
        if candidate.entity is not None and candidate.entity.open:
            value = in_the_afternoon(value, slots.get((param.tool, param.name)))
        if not param.is_list:
            mentions.append(Mention(candidate.first, param, value, candidate.kind == "seen"))
        elif param in lists:
            lists[param].value.append(value)
        else:
            lists[param] = Mention(candidate.first, param, [value])
            mentions.append(lists[param])
    return mentions


def in_the_afternoon(value, now):
    """An open time for a parameter whose value now is one from 12:00 on."""
    found = moment(now) if isinstance(value, str) and len(value) == 5 else None
    if found and found[0] == "time" and found[1][0] >= "12:00":
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
            found.setdefault(place, []).append((param, param.truth(not negated(text, place))))
    mentions = []
    for place, options in found.items():
        most = max(tool_scores[param.tool] for param, _ in options)
        best = [(param, value) for param, value in options if tool_scores[param.tool] == most]
        if all(param.name == best[0][0].name for param, _ in best):
            mentions.append(Mention(place, *best[0]))
    return mentions


def negated(text, place):
    """Whether one of the 3 words before in the sentence denies it."""
    tokens, seen = text.tokens, 0
    for at in range(place - 1, -1, -1):
        if tokens[at].sentence != tokens[place].sentence:
            return False
        if tokens[at].text in NEGATIONS:
            return True
        if tokens[at].text == "t" and at > 1 and [token.text for token in tokens[at - 2 : at]] == ["don", "'"]:
            return True
        seen += tokens[at].is_word
        if seen == 3:
            return False
    return False


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


def answer(text, asked):
    """The whole message as the answer to a reply that asked for one parameter."""
    if len({param.name for param in asked}) != 1 or asked[0].is_list:
        return []
    param, tokens = asked[0], text.tokens
    if param.kind == "flag":
        said = tokens[0].text
        return [Mention(0, param, param.truth(said in YES))] if said in YES or said in NO else []
    if param.type not in ("text", "any") or param.kind not in ("text", "id") or len(text.sentence_spans) != 1:
        return []
    if any(token.text in ("?", "\uff1f", "\u061f") or token.text in NO_ANSWER for token in tokens):
        return []
    first, end = answer_begin(tokens), len(tokens)
    while end > first and (tokens[end - 1].text in ANSWER_ENDS or tokens[end - 1].kind == "mark"):
        end -= 1
    if not 1 <= sum(token.is_word for token in tokens[first:end]) <= 6:
        return []
    said = text.said(first, end)
    return [] if '"' in said or "\\" in said else [Mention(first, param, said)]


def answer_begin(tokens):
    first = 0
    while first < len(tokens):
        ends = [phrase_at(tokens, phrase, first) for phrase in ANSWER_BEGINS]
        ends = [end for end in ends if end is not None]
        if not ends and tokens[first].is_word:
            break
        first = max(ends, default=first + 1)
    return first
