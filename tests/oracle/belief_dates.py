"""Dates and times in a message (docs/recognition.md, "Dates", "Times")."""

import datetime
import re

from belief_numbers import WORDS

ISO_DATETIME = re.compile(r"(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}|[+-]\d{4})?", re.ASCII | re.IGNORECASE)
ISO_DATE = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})", re.ASCII)
YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
SHORT = re.compile(r"(\d{1,2})/(\d{1,2})", re.ASCII)
DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)?", re.ASCII)
MONTH_NAMES = (
    "january february march april may june july august september october november december".split()
)
MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items()}
SHORT_MONTHS["sept"] = 9
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
BEFORE_WEEKDAY = frozenset(["this", "next", "coming"])
ORDINAL_DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)", re.ASCII)
BEFORE_DAY = frozenset("the on by until till from to before after since".split())
BEHIND_DAY = frozenset("and or but at for in with from to until till through please then if is".split())
DAYS = frozenset(["today", "tonight", "tomorrow", "yesterday"])
PARTS = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm", "tonight": "pm"}
CLOCK_WORDS = {word: value for word, value in WORDS.items() if 1 <= value <= 12}
SUFFIXED_HOUR = re.compile(r"(\d{1,2})(am|pm|a|p)", re.ASCII)
SUFFIXED_MINUTE = re.compile(r"(\d{2})(am|pm|a|p)", re.ASCII)


def is_calendar_word(word):
    """A month or a weekday."""
    return word in MONTHS or word in SHORT_MONTHS or word in WEEKDAYS


def datetime_at(text, place, core_match, as_said):
    end = core_match(text, place, ISO_DATETIME)
    match = ISO_DATETIME.fullmatch(text.said(place, end)) if end else None
    return as_said("datetime", text, place, end) if match and exists(*map(int, match.group(1, 2, 3))) else None


def exists(year, month, day):
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def iso(year, month, day):
    return f"{year:04}-{month:02}-{day:02}"


def date_at(text, place):
    """(end, value) of a date; the value is None where it is not determined: what is said is."""
    return (
        numeric_date(text, place)
        or weekday_with_date(text, place)
        or month_date(text, place)
        or relative_date(text, place)
        or day_of_month(text, place)
    )


def parts_of(text, value):
    """(year, month, day) of a text that is a date with this value; None where one is not said; None without a day."""
    match = ISO_DATE.fullmatch(value)
    if match:
        return int(match[1]), int(match[3]), int(match[4])
    month = day = None
    for place in range(len(text.tokens)):
        if text.tokens[place].text == "next":
            return None
        found = month_at(text, place)
        month = found[1] if found else month
        day = day if day is not None else day_at(text, place)
    return None if day is None or SHORT.fullmatch(value) or YEAR_LAST.fullmatch(value) else (None, month, day)


def day_of_month(text, place):
    """`[the] 3rd of this month`, and `the 3rd` or `on 3rd` where nothing that could be counted follows."""
    tokens = text.tokens
    at = place + (tokens[place].text == "the")
    match = ORDINAL_DAY.fullmatch(tokens[at].text) if at < len(tokens) else None
    if not match or not 1 <= int(match[1]) <= 31:
        return None
    words = [token.text for token in tokens[at + 1 : at + 4]]
    if words in (["of", "this", "month"], ["of", "next", "month"]):
        return at + 4, text.said(at, at + 4)
    if at == place and (place == 0 or tokens[place - 1].text not in BEFORE_DAY):
        return None
    if at + 1 < len(tokens) and tokens[at + 1].is_word and tokens[at + 1].text not in BEHIND_DAY:
        return None
    return at + 1, None


def weekday_with_date(text, place):
    """A weekday right before a month and day belongs to them."""
    tokens = text.tokens
    at = place + (tokens[place].text in BEFORE_WEEKDAY)
    if at >= len(tokens) or tokens[at].text not in WEEKDAYS:
        return None
    at += 1
    if at < len(tokens) and tokens[at].text == ",":
        at += 1
    found = month_date(text, at) if at < len(tokens) else None
    if found is None:
        return None
    end, value = found
    return end, text.said(at, end) if value is None else value


def goes_on(text, place):
    """Whether what begins here goes on with something glued before it."""
    tokens = text.tokens
    before = tokens[place - 1] if place > 0 and tokens[place].glued else None
    return before is not None and (before.is_word or before.text in tuple(".,:/-"))


def is_joint(text, place, signs):
    """Whether one of the signs is here, glued on both sides."""
    tokens = text.tokens
    glued = place + 1 < len(tokens) and tokens[place].glued and tokens[place + 1].glued
    return glued and tokens[place].text in tuple(signs)


def is_cut_off(text, end):
    """Whether it goes on behind with something glued."""
    tokens = text.tokens
    if end < len(tokens) and tokens[end].glued and tokens[end].is_word:
        return True
    return is_joint(text, end, "/-.") and tokens[end + 1].digits


def numeric_date(text, place):
    tokens = text.tokens
    if not tokens[place].digits or goes_on(text, place):
        return None
    for count, forms in ((5, ((ISO_DATE, read_iso), (YEAR_LAST, read_year_last))), (3, ((SHORT, read_short),))):
        end = place + count
        run = tokens[place:end]
        if len(run) < count or not all(token.glued for token in run[1:]):
            continue
        if is_cut_off(text, end) or (count == 3 and is_joint(text, end, "/")):
            continue
        for pattern, read in forms:
            match = pattern.fullmatch(text.glued_text(place, end))
            if match:
                value = read(match)
                return None if value is None else (end, value[0])
    return None


def read_iso(match):
    year, month, day = int(match[1]), int(match[3]), int(match[4])
    return (iso(year, month, day),) if exists(year, month, day) else None


def read_year_last(match):
    """A date as (value or None where both orders are possible), or None where there is no such date."""
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    day_first = exists(year, second, first)
    month_first = exists(year, first, second)
    if match[2] == ".":
        return (iso(year, second, first),) if day_first else None
    if first == second and month_first:
        return (iso(year, first, second),)
    if first > 12 and day_first:
        return (iso(year, second, first),)
    if second > 12 and month_first:
        return (iso(year, first, second),)
    return (None,) if day_first or month_first else None


def read_short(match):
    first, second = int(match[1]), int(match[2])
    either = ((first, second), (second, first))
    return (None,) if any(exists(2024, month, day) for month, day in either) else None


def month_at(text, place):
    """(end, month) of a month's name."""
    if place >= len(text.tokens):
        return None
    word = text.tokens[place].text
    if word in SHORT_MONTHS:
        end = place + 1
        if end < len(text.tokens) and text.tokens[end].text == "." and text.tokens[end].glued and word not in MONTHS:
            end += 1
        return end, SHORT_MONTHS[word]
    return (place + 1, MONTHS[word]) if word in MONTHS else None


def day_at(text, place):
    """The day of a month at the token, or None."""
    if place >= len(text.tokens):
        return None
    match = DAY.fullmatch(text.tokens[place].text)
    return int(match[1]) if match and 1 <= int(match[1]) <= 31 else None


def month_date(text, place):
    tokens = text.tokens
    month = month_at(text, place)
    day = None
    name, ordinal = tokens[place], tokens[place]
    if month:
        end, month = month
        if end < len(tokens) and tokens[end].text == "the":
            end += 1
        day = day_at(text, end)
        if end + 1 < len(tokens) and tokens[end + 1].text == ":" and tokens[end + 1].glued:
            return None  # an hour
        ordinal = tokens[end] if day else None
        end += 1
    else:
        day = None if goes_on(text, place) else day_at(text, place)
        at = place + 1
        if day and at < len(tokens) and tokens[at].text == "of":
            at += 1
        found = month_at(text, at) if day else None
        if found is None:
            return None
        name = tokens[at]
        end, month = found
    if day is None:
        return None
    at = end + 1 if end < len(tokens) and tokens[end].text == "," else end
    if at < len(tokens) and tokens[at].digits and len(tokens[at].text) == 4:
        year = int(tokens[at].text)
        return (at + 1, iso(year, month, day)) if exists(year, month, day) else None
    if not exists(2000, month, day):
        return None
    if name.raw in ("may", "march", "mar") and ordinal.digits:
        return None
    return end, None


def relative_date(text, place):
    tokens = text.tokens
    word = tokens[place].text
    if word in DAYS:
        return place + 1, None
    if [token.text for token in tokens[place : place + 3]] == ["day", "after", "tomorrow"]:
        return place + 3, None
    if word in WEEKDAYS:
        behind = [token.text for token in tokens[place + 1 : place + 3]]
        return place + (3 if behind in (["this", "week"], ["next", "week"]) else 1), None
    if word in BEFORE_WEEKDAY and place + 1 < len(tokens) and tokens[place + 1].text in WEEKDAYS:
        return place + 2, None
    return None


# Times.


def time_at(text, place):
    """(end, hour, minute, open) of a time."""
    word = text.tokens[place].text
    if word in ("noon", "midday"):
        return place + 1, 12, 0, False
    if word == "midnight":
        return place + 1, 0, 0, False
    if text.tokens[place].text[0].isdigit() and goes_on(text, place):
        return None
    found = clock_time(text, place) or spoken_time(text, place)
    if found is None:
        return None
    end, hour, minute, meridiem, leading_zero = found
    if meridiem is None:
        meridiem = part_of_day(text, place, end)
    if meridiem is None:
        return end, hour, minute, 1 <= hour <= 11 and not leading_zero
    if meridiem == "am" and hour == 12:
        hour = 0
    elif meridiem == "pm" and hour < 12:
        hour += 12
    return end, hour, minute, False


def meridiem_at(text, place):
    """(end, am or pm) at the token: am, pm, a.m. or p.m."""
    tokens = text.tokens
    if place >= len(tokens):
        return None
    word = tokens[place].text
    if word in ("am", "pm"):
        return place + 1, word
    if word in ("a", "p"):
        end = dotted(text, place + 1)
        if end:
            return end, word + "m"
    return None


def dotted(text, place):
    """The end of `.m` or `.m.`, glued, or None."""
    tokens = text.tokens
    if place + 1 < len(tokens) and tokens[place].text == "." and tokens[place].glued:
        if tokens[place + 1].text == "m" and tokens[place + 1].glued:
            end = place + 2
            return end + 1 if end < len(tokens) and tokens[end].text == "." and tokens[end].glued else end
    return None


def suffix_end(text, place, suffix):
    """(end, meridiem) of what is glued to the digits of the token here: am, pm, or a, p with .m. behind."""
    if suffix in ("am", "pm"):
        return place + 1, suffix
    end = dotted(text, place + 1)
    return (end, suffix + "m") if end else None


def clock_time(text, place):
    """H:MM, H:MM:SS, H.MM, H: (end, hour, minute, meridiem, leading zero)."""
    tokens = text.tokens
    token = tokens[place]
    if not token.digits:
        match = SUFFIXED_HOUR.fullmatch(token.text)
        if match and 1 <= int(match[1]) <= 12:
            found = suffix_end(text, place, match[2])
            return found and (found[0], int(match[1]), 0, found[1], False)
        return None
    if len(token.text) > 2 or int(token.text) > 23:
        return None
    hour, leading = int(token.text), token.text[0] == "0"
    for separator in (":", "."):
        found = minutes(text, place + 1, separator)
        if found:
            end, minute, meridiem = found
            if separator == "." and (meridiem is None or not 1 <= hour <= 12):
                continue
            return end, hour, minute, meridiem, leading
    found = meridiem_at(text, place + 1)
    if found and 1 <= hour <= 12:
        return found[0], hour, 0, found[1], leading
    return None


def minutes(text, place, separator):
    """(end, minute, meridiem) of :MM or .MM, with :SS and a meridiem."""
    tokens = text.tokens
    if place + 1 >= len(tokens) or tokens[place].text != separator:
        return None
    if not tokens[place].glued or not tokens[place + 1].glued:
        return None
    word = tokens[place + 1].text
    match = SUFFIXED_MINUTE.fullmatch(word)
    if match and int(match[1]) < 60:
        found = suffix_end(text, place + 1, match[2])
        return found and (found[0], int(match[1]), found[1])
    if not tokens[place + 1].digits or len(word) != 2 or int(word) > 59:
        return None
    end = place + 2
    if separator == ":":
        seconds = minutes(text, end, ":")
        if seconds:
            return seconds[0], int(word), seconds[2]
    found = meridiem_at(text, end)
    return (found[0], int(word), found[1]) if found else (end, int(word), None)


def hour_word(text, place):
    """An hour to twelve, in digits or as a word: (hour, leading zero)."""
    if place >= len(text.tokens):
        return None
    token = text.tokens[place]
    if token.digits and len(token.text) <= 2 and 1 <= int(token.text) <= 12:
        return int(token.text), token.text[0] == "0"
    return (CLOCK_WORDS[token.text], False) if token.text in CLOCK_WORDS else None


def spoken_time(text, place):
    tokens = text.tokens
    hour = hour_word(text, place)
    if hour and [token.text for token in tokens[place + 1 : place + 4]] == ["o", "'", "clock"]:
        return with_meridiem(text, place + 4, hour, 0)
    if hour and part_behind(text, place + 1):
        return place + 1, hour[0], 0, None, hour[1]
    words = tuple(token.text for token in tokens[place : place + 2])
    minute = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): 45}.get(words)
    hour = hour_word(text, place + 2) if minute else None
    if hour is None:
        return None
    if words == ("quarter", "to"):
        hour = ((hour[0] - 2) % 12 + 1, hour[1])
    return with_meridiem(text, place + 3, hour, minute)


def part_behind(text, place):
    """Whether `in the morning` or its like stands here."""
    words = [token.text for token in text.tokens[place : place + 3]]
    if words[:2] == ["at", "night"]:
        return True
    return words[:2] == ["in", "the"] and words[2:] and words[2] in ("morning", "afternoon", "evening", "night")


def with_meridiem(text, end, hour, minute):
    found = meridiem_at(text, end)
    if found:
        return found[0], hour[0], minute, found[1], hour[1]
    return end, hour[0], minute, None, hour[1]


def part_of_day(text, first, end):
    """am or pm by the part of the day right before or within 3 words behind."""
    tokens = text.tokens
    sentence = tokens[first].sentence
    if first > 0 and tokens[first - 1].text in PARTS and tokens[first - 1].sentence == sentence:
        return PARTS[tokens[first - 1].text]
    for token in tokens[end : end + 3]:
        if token.kind != "word" or token.sentence != sentence:
            return None
        if token.text in PARTS:
            return PARTS[token.text]
    return None
