"""Tokens, chunks, sentences, stems and distances of docs/recognition.md."""

import unicodedata

from values import UNSPACED_SCRIPTS, WHITE_SPACE, is_word, nfc

TOKEN_LIMIT = 16384
IGNORED = frozenset(
    chr(code)
    for low, high in (
        (0xAD, 0xAD),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x2064),
        (0x2066, 0x206F),
        (0xFE0F, 0xFE0F),
        (0xFEFF, 0xFEFF),
    )
    for code in range(low, high + 1)
)
QUOTES = {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"'}
FRONT = "(\"'<[{`\u00ab\u300c\u300e"
BEHIND = ".,;:!?)\"'>]}`\u00bb\u300d\u300f"
ENDS = frozenset("!?\u3002\uff01\uff1f\u061f\u0964\u2026")


class Token:
    """`text` is case folded; `start` and `end` are places in the text without ignored characters."""

    __slots__ = ("text", "raw", "start", "end", "glued", "kind", "sentence", "chunk", "words_before")

    def __init__(self, raw, start, end, glued, kind):
        self.text = nfc(raw.casefold())
        self.raw = raw
        self.start = start
        self.end = end
        self.glued = glued  # to the token before it
        self.kind = kind  # word, character or mark
        self.sentence = 0
        self.chunk = 0
        self.words_before = 0  # words and character words before it

    @property
    def is_word(self):
        return self.kind != "mark"

    @property
    def digits(self):
        return self.text.isascii() and self.text.isdigit()


def is_character_word(ch):
    return unicodedata.category(ch)[0] in "LMN" and unicodedata.name(ch, "").startswith(UNSPACED_SCRIPTS)


_kinds = {}


def kind_of(ch):
    """word, character, mark or None for white space."""
    known = _kinds.get(ch, "")
    if known == "":
        if ch in WHITE_SPACE:
            known = None
        elif QUOTES.get(ch, ch) in "'\"":
            known = "mark"
        elif is_word(ch):
            known = "word"
        else:
            known = "character" if is_character_word(ch) else "mark"
        _kinds[ch] = known
    return known


class Text:
    """A text as tokens. `plain` is what the tokens' places refer to."""

    def __init__(self, text):
        self.source = text
        self.plain = "".join(ch for ch in nfc(text or "") if ch not in IGNORED)
        self.tokens = []
        self.chunks = []  # (first, end) tokens
        self.sentence_spans = []
        self._split()
        self._number()

    def _split(self):
        plain, place, size = self.plain, 0, len(self.plain)
        last_end = -1
        while place < size and len(self.tokens) < TOKEN_LIMIT:
            kind = kind_of(plain[place])
            if kind is None:
                place += 1
                continue
            end = place + 1
            if kind == "word":
                while end < size and kind_of(plain[end]) == "word":
                    end += 1
            raw = plain[place:end]
            self.tokens.append(Token(QUOTES.get(raw, raw), place, end, last_end == place, kind))
            last_end = place = end

    def _number(self):
        sentence = words = 0
        start = 0
        for place, token in enumerate(self.tokens):
            if place > 0 and self._ends_before(place):
                self.sentence_spans.append((start, place))
                start = place
                sentence += 1
            if not token.glued:
                self.chunks.append([place, place])
            token.chunk = len(self.chunks) - 1
            self.chunks[-1][1] = place + 1
            token.sentence = sentence
            token.words_before = words
            words += token.is_word
        if self.tokens:
            self.sentence_spans.append((start, len(self.tokens)))

    def _ends_before(self, place):
        """Whether a sentence ends between this token and the one before."""
        before, token = self.tokens[place - 1], self.tokens[place]
        if before.text in ENDS or "\n" in self.plain[before.end : token.start]:
            return True
        if before.text == "." and not token.glued:
            if place > 1 and before.glued:
                word = self.tokens[place - 2]
                return not (word.is_word and len(word.text) == 1 and word.text.isascii())
            return True
        return False

    def core(self, place):
        """(first, end) of the core of the chunk that the token is in; empty where nothing is left."""
        first, end = self.chunks[self.tokens[place].chunk]
        while first < end and self.tokens[first].text in FRONT:
            first += 1
        while first < end and self.tokens[end - 1].text in BEHIND:
            end -= 1
        return first, end

    def said(self, first, end):
        """The text of tokens, as said."""
        return self.plain[self.tokens[first].start : self.tokens[end - 1].end]

    def glued_text(self, first, end):
        return "".join(token.text for token in self.tokens[first:end])

    def texts(self, first, end):
        return [token.text for token in self.tokens[first:end]]

    def words_between(self, first, second):
        """The distance of two places: words between the end of the one (a token behind it) and the begin of the other."""
        return sum(1 for token in self.tokens[first:second] if token.is_word)

    def words(self, first=0, end=None):
        return [token for token in self.tokens[first:end] if token.is_word]


def phrase_at(tokens, phrase, place):
    """The end of a phrase (a Text) that begins at this token, or None: equal texts, glued where the phrase is."""
    parts = phrase.tokens
    if place + len(parts) > len(tokens):
        return None
    for offset, part in enumerate(parts):
        token = tokens[place + offset]
        if token.text != part.text or (offset > 0 and token.glued != part.glued):
            return None
    return place + len(parts)


def stem(word):
    """The stem of a folded word."""
    if not (word.isascii() and word.isalpha()):
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and len(word) > 2 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ing") and len(word) >= 6:
        word = undoubled(word[:-3])
    elif word.endswith("ed") and len(word) >= 5:
        word = undoubled(word[:-2])
    elif word.endswith("al") and len(word) >= 6:
        word = word[:-2]
    elif word.endswith("ure") and len(word) >= 7:
        word = word[:-3]
    if word.endswith("e") and len(word) >= 4:
        word = word[:-1]
    return word


def undoubled(word):
    if len(word) >= 2 and word[-1] == word[-2] and word[-2:] not in ("ll", "ss", "zz"):
        return word[:-1]
    return word


def name_parts(name):
    """A name's parts: split at _ - . and spaces, and before an upper-case letter behind a lower-case one or a digit."""
    spread, before = "", ""
    for ch in name:
        if ch.isascii() and ch.isupper() and before.isascii() and (before.islower() or before.isdigit()):
            spread += " "
        spread += " " if ch in "_-." else ch
        before = ch
    return [nfc(part.casefold()) for part in spread.split(" ") if part]


def name_words(name):
    """The words of a name's parts; a letter of an unspaced script is a word."""
    return [token.text for part in name_parts(name) for token in Text(part).tokens if token.is_word]
