"""Hand-worked dialogues: every metric and every reward term, with the arithmetic in a comment.

CASES is a list of (dialogue, expected). `expected` maps "metrics.NAME" to (num, den) or None, and
"multi_turn.TERM", "single_step.TERM" to a number or None; TERM is a term, "total" or "partial".
Terms are weighted (outcome x 0.5) and given before the clamp.
"""

from build import INTEGER, TEXT, calls, dialogue, gold_call, result, say, tool, user

ALARM = tool("alarm", ["time"], time=TEXT, repeat={"type": "string", "default": "once"})
BLUETOOTH = tool("bluetooth", ["action_type"], action_type={"type": "string", "enum": ["open", "close"]})
WEATHER = tool("weather", ["city"], city=TEXT, days=INTEGER)
ORDER = tool("order", ["item"], item=TEXT, count=INTEGER)
SHIP = tool("ship", ["order_id"], order_id=TEXT)
POOL = [ALARM, BLUETOOTH, WEATHER, ORDER, SHIP]

SEVEN = ("alarm", {"time": "07:00", "repeat": "once"})
HALF_PAST_SIX = ("alarm", {"time": "06:30", "repeat": "once"})
OPEN = ("bluetooth", {"action_type": "open"})

ALARM_GOLD = {
    "turns": [
        {"turn": 1, "kind": "tool", "calls": [gold_call(*SEVEN), gold_call(*OPEN)]},
        {
            "turn": 2,
            "kind": "tool",
            "signal": "modified",
            "calls": [gold_call(*HALF_PAST_SIX)],
            "stale": [{"tool": "alarm", "param": "time", "value": "07:00"}],
        },
    ]
}


def alarm(name, second_turn_call):
    """The paper's Figure 10: an alarm moved from 07:00 to 06:30, with Bluetooth on in turn 1."""
    return dialogue(
        name,
        user("Set an alarm for 7am tomorrow and turn on Bluetooth."),
        calls(SEVEN, OPEN, text="I'll set up both for you."),
        result("Alarm set for 07:00.", "c0"),
        result("Bluetooth enabled.", "c1"),
        user("Actually, change the alarm to 6:30 instead."),
        calls(second_turn_call, text="Got it, updating your alarm to 6:30."),
        result("Alarm updated to 06:30."),
        tools=POOL,
        gold=ALARM_GOLD,
        scenario="task_modification",
        family="Modification",
    )


CASES = []


def case(data, **expected):
    CASES.append((data, {name.replace("__", "."): value for name, value in expected.items()}))


# Both turns match: jga 2.5 x 2/2 + 2.5 x 1/1 = 5.0, at the cap. 07:00 and 06:30 stand in no user text, but are gold
# values, so nothing is made up. Hits use the tools alarm and bluetooth: progress 0.3 x 2 = 0.6. Total 5.6.
# Single-step looks at turn 2: 2 x 1/1 = 2.
case(
    alarm("alarm-right", HALF_PAST_SIX),
    metrics__JGA=(2, 2),
    metrics__call_recall=(3, 3),
    metrics__call_precision=(3, 3),
    metrics__Modification_JGA=(2, 2),
    metrics__Baseline_JGA=(0, 0),
    metrics__jga_all=(2, 2),
    metrics__SCRR=(0, 1),
    metrics__RIR=(0, 2),
    metrics__rir_name=(0, 2),
    metrics__LOOP=(0, 1),
    metrics__DTCR=(0, 0),
    metrics__ISSR=(0, 0),
    multi_turn__belief_jga=5.0,
    multi_turn__belief_stale=0,
    multi_turn__belief_halluc=0,
    multi_turn__action_progress=0.6,
    multi_turn__stop_loop=0,
    multi_turn__clamp=0,
    multi_turn__total=5.6,
    multi_turn__partial=False,
    single_step__score_hits=2.0,
    single_step__total=2.0,
)

# The old time again: turn 2 has no hit, so jga is 2.5 + 0. 07:00 is listed stale and the active time is 06:30: one
# stale argument, -0.5 (`repeat` was never overwritten). 07:00 stands in the tool's return, so it is not made up.
# The call equals that of turn 1: its 2nd occurrence exceeds max(1, 1 gold call like it), -0.5. The calls are not
# adjacent (bluetooth lies between), so no stop. Progress 0.6. Total 2.5 - 0.5 - 0.5 + 0.6 = 2.1.
# RIR: turn 2 of 2 repeats an earlier call. Single-step: 2 x 0/1 = 0.
case(
    alarm("alarm-stale", SEVEN),
    metrics__JGA=(1, 2),
    metrics__SCRR=(1, 1),
    metrics__RIR=(1, 2),
    metrics__rir_name=(1, 2),
    metrics__LOOP=(0, 1),
    multi_turn__belief_jga=2.5,
    multi_turn__belief_stale=-0.5,
    multi_turn__belief_halluc=0,
    multi_turn__action_excess=-0.5,
    multi_turn__action_progress=0.6,
    multi_turn__total=2.1,
    single_step__total=0,
)

# A third time that nobody mentioned: no hit in turn 2; 09:15 was never a gold value, so it is not stale but made up,
# -0.8. Same tool as in turn 1 and no hit: rir_name counts it, RIR does not. 2.5 - 0.8 + 0.6 = 2.3.
case(
    alarm("alarm-made-up", ("alarm", {"time": "09:15", "repeat": "once"})),
    metrics__JGA=(1, 2),
    metrics__SCRR=(0, 1),
    metrics__RIR=(0, 2),
    metrics__rir_name=(1, 2),
    multi_turn__belief_jga=2.5,
    multi_turn__belief_stale=0,
    multi_turn__belief_halluc=-0.8,
    multi_turn__total=2.3,
)

# Strictly, omitting `repeat` is not the gold call; loosely it is, because gold's value is the default. Strict: jga
# 2.5, progress 0.6: 3.1. The single-step reward matches loosely: 2.0.
case(
    alarm("alarm-default-omitted", ("alarm", {"time": "06:30"})),
    metrics__JGA=(1, 2),
    metrics__JGA_loose=(2, 2),
    multi_turn__belief_jga=2.5,
    multi_turn__total=3.1,
    single_step__total=2.0,
)

# An undeclared argument is made up whatever its value; it also spoils the match: 2.5 - 0.8 + 0.6 = 2.3.
case(
    alarm("alarm-undeclared", ("alarm", {"time": "06:30", "repeat": "once", "loud": True})),
    metrics__JGA=(1, 2),
    multi_turn__belief_halluc=-0.8,
    multi_turn__total=2.3,
)

# Two equal calls in a row: the reward stops at -2 whatever the rest, and is valid even without gold. Two are no LOOP
# (three repeats are). The second is in the same turn, so RIR has nothing to say.
case(
    dialogue("stop", user("Weather in Oslo?"), calls(("weather", {"city": "Oslo"}), ("weather", {"city": "Oslo"}))),
    metrics__JGA=None,
    metrics__DTCR=None,
    metrics__RIR=(0, 1),
    metrics__LOOP=(0, 1),
    multi_turn__stop_loop=-2,
    multi_turn__total=-2,
    multi_turn__partial=False,
)

# No gold and no tools: only format and the stop can be evaluated, so the total is partial. A tag costs 0.3.
# RIR needs no gold: Oslo is asked for in both turns. Without gold no turn is evaluated, so that single-step has no turn
# whose format it could judge.
case(
    dialogue(
        "no-gold",
        user("Weather in Oslo?"),
        calls(("weather", {"city": "Oslo"})),
        result("Sun"),
        say("<tool_call>Sun"),
        user("Again?"),
        calls(("weather", {"city": "Oslo", "days": 1})),
        calls(("weather", {"city": "Oslo"})),
    ),
    metrics__JGA=None,
    metrics__jga_all=None,
    metrics__SCRR=None,
    metrics__ISSR=None,
    metrics__DTCR=None,
    metrics__call_recall=None,
    metrics__RIR=(1, 2),
    metrics__rir_name=(1, 2),
    multi_turn__belief_jga=None,
    multi_turn__belief_halluc=None,
    multi_turn__action_invalid=None,
    multi_turn__action_excess=None,
    multi_turn__action_progress=None,
    multi_turn__outcome_chain=None,
    multi_turn__format_tags=-0.3,
    multi_turn__total=-0.3,
    multi_turn__partial=True,
    single_step__score_hits=None,
    single_step__format_tags=0,
    single_step__total=0,
    single_step__partial=True,
)

# Gold for the whole dialogue only, which wants Oslo twice. The second call is a hit too, so RIR excuses it; but it
# follows an equal one at once, so the reward stops (the stop knows no gold).
case(
    dialogue(
        "gold-calls",
        user("Weather in Oslo?"),
        calls(("weather", {"city": "Oslo"})),
        user("And now?"),
        calls(("weather", {"city": "Oslo"}), ("lamp", {})),
        tools=POOL,
        gold={"calls": [gold_call("weather", {"city": "Oslo"}), gold_call("weather", {"city": "Oslo"})]},
    ),
    metrics__JGA=None,
    metrics__RIR=(0, 2),
    metrics__DTCR=None,
    metrics__call_recall=(2, 2),
    metrics__call_precision=(2, 3),
    multi_turn__stop_loop=-2,
    multi_turn__total=-2,
)
# With a call between: lamp is not in the pool, -1; progress counts `weather` once, 0.3. Oslo stands in the question,
# so nothing is made up, gold by turn or not. Partial. Labels are only known by turn, and chains by turn or by name.
case(
    dialogue(
        "gold-calls-spaced",
        user("Weather in Oslo?"),
        calls(("weather", {"city": "Oslo"}), ("lamp", {})),
        user("And now?"),
        calls(("weather", {"city": "Oslo"})),
        tools=POOL,
        gold={"calls": [gold_call("weather", {"city": "Oslo"}), gold_call("weather", {"city": "Oslo"})]},
    ),
    metrics__RIR=(0, 2),
    multi_turn__belief_jga=None,
    multi_turn__belief_stale=None,
    multi_turn__belief_halluc=0,
    multi_turn__action_invalid=-1,
    multi_turn__action_excess=0,
    multi_turn__action_progress=0.3,
    multi_turn__action_clarify=None,
    multi_turn__outcome_chain=None,
    multi_turn__outcome_switch=None,
    multi_turn__total=-0.7,
    multi_turn__partial=True,
    single_step__score_called_language=None,
    single_step__partial=True,
)
# What is made up without gold by turn: Rome is in no text, -0.8; `days` is the 3 of the return. Gold wants Rome, but
# nobody knows in which turn, so it gives no ground. One hit: progress 0.3.
case(
    dialogue(
        "gold-calls-made-up",
        user("Weather?"),
        calls(("weather", {"city": "Rome"})),
        result("3 clouds"),
        calls(("weather", {"city": "clouds", "days": 3})),
        tools=POOL,
        gold={"calls": [gold_call("weather", {"city": "Rome"})], "chains": []},
    ),
    metrics__DTCR=(0, 0),
    multi_turn__outcome_chain=0,
    multi_turn__belief_halluc=-0.8,
    multi_turn__action_progress=0.3,
    multi_turn__total=-0.5,
    multi_turn__partial=True,
)
# No gold at all: five calls to tools outside the pool with five channels that are in no text: -5 - 4 = -9. A partial
# total is clamped too: -4.
case(
    dialogue(
        "partial-clamped",
        user("Radio!"),
        calls(*[("radio", {"channel": str(n)}) for n in (3, 4, 5, 6, 7)]),
        tools=POOL,
    ),
    multi_turn__belief_jga=None,
    multi_turn__belief_halluc=-4,
    multi_turn__action_invalid=-5,
    multi_turn__clamp=5,
    multi_turn__total=-4,
    multi_turn__partial=True,
)

# No assistant message: no reward term and no metric of what the agent did can be evaluated; those that are over
# dialogues with a response have nothing to count.
case(
    dialogue("silent", user("Hello"), tools=POOL, gold=ALARM_GOLD),
    metrics__JGA=None,
    metrics__SCRR=None,
    metrics__call_recall=(0, 0),
    metrics__call_precision=(0, 0),
    metrics__LOOP=(0, 0),
    metrics__RIR=None,
    metrics__DTCR=None,
    multi_turn__format_empty=None,
    multi_turn__stop_loop=None,
    multi_turn__total=None,
    multi_turn__partial=True,
    single_step__total=None,
)

# Turn 2 is not answered, so only turn 1 is evaluated: JGA 1 of 1, and no modification turn. 2.5 + 0.6 = 3.1.
# Single-step looks at the last evaluated turn, the first: 2 x 2/2.
case(
    dialogue(
        "unanswered",
        user("Alarm at 07:00, Bluetooth on"),
        calls(SEVEN, OPEN),
        user("Actually 6:30"),
        tools=POOL,
        gold=ALARM_GOLD,
    ),
    metrics__JGA=(1, 1),
    metrics__call_recall=(2, 3),
    metrics__call_precision=(2, 2),
    metrics__SCRR=(0, 0),
    multi_turn__total=3.1,
    single_step__score_hits=2,
    single_step__total=2,
    single_step__partial=False,
)
# Gold labels turn 2 only, which has no answer: no evaluated turn, so single-step is 0, and so is multi-turn: 07:00 and
# `open` stand in the text and `once` is the default.
case(
    dialogue(
        "nothing-evaluated",
        user("Alarm at 07:00, Bluetooth open"),
        calls(SEVEN, OPEN, text="</tool_call>"),
        user("Actually 6:30"),
        tools=POOL,
        gold={"turns": ALARM_GOLD["turns"][1:]},
    ),
    metrics__JGA=(0, 0),
    metrics__RIR=(0, 1),
    multi_turn__format_tags=-0.3,
    multi_turn__total=-0.3,
    single_step__format_tags=0,
    single_step__score_hits=0,
    single_step__total=0,
    single_step__partial=False,
)

# A, B three times over is a cycle of period 2; no two adjacent calls are equal, so there is no stop. Gold wants each
# once. jga: 2.5 x 2/6. Redundant: the 2nd and 3rd of each, 4 x -0.5. Precision 2/6 = 0.333 is not below 0.3.
# Progress: one tool, 0.3. Total 0.8333.. - 2 + 0.3.
AB = [("weather", {"city": "Oslo"}), ("weather", {"city": "Rome"})]
AB_GOLD = {"turns": [{"turn": 1, "calls": [gold_call(*call) for call in AB]}]}
case(
    dialogue("loop-2", user("Weather in Oslo and Rome?"), calls(*AB * 3), tools=POOL, gold=AB_GOLD),
    metrics__LOOP=(1, 1),
    metrics__JGA=(1, 1),
    multi_turn__belief_jga=2.5 / 3,
    multi_turn__action_excess=-2,
    multi_turn__action_low_precision=0,
    multi_turn__action_progress=0.3,
    multi_turn__total=2.5 / 3 - 1.7,
)

# Seven calls, two hits: 2/7 = 0.2857 < 0.3 and more than 3 calls, -2. The third city, Bonn, is in no text: -0.8.
# Redundant -0.5 x 4. Calls 1 to 6 repeat A, B three times: LOOP. jga 2.5 x 2/7. Total 5/7 - 0.8 - 2 - 2 + 0.3 = -3.7857.
case(
    dialogue(
        "low-precision",
        user("Weather in Oslo and Rome?"),
        calls(*AB * 3, ("weather", {"city": "Bonn"})),
        tools=POOL,
        gold=AB_GOLD,
    ),
    metrics__LOOP=(1, 1),
    metrics__JGA=(0, 1),
    multi_turn__belief_halluc=-0.8,
    multi_turn__action_low_precision=-2,
    multi_turn__total=5 / 7 - 4.5,
)

# Out of pool: `lamp` and `radio` are not among the tools: -2. Their arguments: `on` is a boolean, "3" is cut out of
# "2023" and so made up. Nobody declares the parameters of a tool outside the pool, so only grounding counts: -0.8.
# With five such calls: -1 x 5 - 0.8 x 4 - 2 (0 hits of 5) = below -4, so the clamp gives -4.
case(
    dialogue(
        "out-of-pool",
        user("It is 2023. Light!"),
        calls(("lamp", {"on": True}), ("radio", {"channel": "3"})),
        tools=POOL,
        gold={"turns": [{"turn": 1, "kind": "language"}]},
    ),
    metrics__JGA=(0, 0),
    metrics__jga_all=(0, 1),
    multi_turn__action_invalid=-2,
    multi_turn__belief_halluc=-0.8,
    multi_turn__total=-2.8,
    single_step__score_called_language=-1,
    single_step__score_invalid=0,
    single_step__total=-1,
)
case(
    dialogue(
        "clamped",
        user("It is 2023. Light!"),
        calls(*[("radio", {"channel": str(n)}) for n in (3, 4, 5, 6)], ("lamp", {})),
        tools=POOL,
        gold={"turns": [{"turn": 1, "calls": [gold_call("weather", {"city": "Oslo"})]}]},
    ),
    multi_turn__action_invalid=-5,
    multi_turn__belief_halluc=-3.2,
    multi_turn__action_low_precision=-2,
    multi_turn__clamp=6.2,
    multi_turn__total=-4,
    single_step__score_hits=0,
    single_step__score_invalid=-2.5,
    single_step__total=-2.5,
)


def clarify(name, *reply, missing=("start_time", "city"), kind="clarify"):
    turn = {"turn": 1, "kind": kind, "signal": "clarify", "missing": list(missing)}
    return dialogue(name, user("Plan my trip."), *reply, tools=POOL, gold={"turns": [turn]})


# A question that names one of two missing parameters: s = 0.5 + 0.5 x 1/2 = 0.75. No gold calls and none made:
# jga_all 1 of 1, JGA has nothing to count. Single-step: a language question without a call earns s.
case(
    clarify("ask-one", say("What start time?")),
    metrics__JGA=(0, 0),
    metrics__jga_all=(1, 1),
    multi_turn__action_clarify=0.75,
    multi_turn__total=0.75,
    single_step__score_asked=0.75,
    single_step__total=0.75,
)
# Both names, one as is with the full-width mark: s = 1. "cityscape" does not mention city: s = 0.5.
case(clarify("ask-both", say("Which CITY and start_time\uff1f")), multi_turn__action_clarify=1)
case(clarify("ask-wrong", say("Do you like the cityscape?")), multi_turn__action_clarify=0.5)
case(clarify("ask-open", say("Which one?"), missing=()), multi_turn__action_clarify=1)
# A statement: s = -0.5, of which the multi-turn reward takes nothing; single-step takes it.
case(clarify("tell", say("Fine.")), multi_turn__action_clarify=0, single_step__total=-0.5)
# A call instead of a question: s = -1; Oslo is in no text: -0.8. No gold call in the turn.
case(
    clarify("call", calls(("weather", {"city": "Oslo"}), text="Which city?")),
    metrics__jga_all=(0, 1),
    multi_turn__action_clarify=0,
    multi_turn__total=-0.8,
    single_step__total=-1,
)
# Nothing at all (white space is not text): empty -0.5, s = -1. Single-step: -1 - 0.5.
case(
    clarify("empty", say(" \u00a0\n")),
    multi_turn__action_clarify=0,
    multi_turn__format_empty=-0.5,
    multi_turn__total=-0.5,
    single_step__format_empty=-0.5,
    single_step__score_asked=-1,
    single_step__total=-1.5,
)
# A query answered with a question instead of a call: s / 2 with nothing missing: 0.5.
case(
    dialogue("query-asked", user("Oslo weather"), say("Today?"), tools=POOL, gold=AB_GOLD),
    metrics__JGA=(0, 1),
    single_step__score_answered=0.5,
    single_step__total=0.5,
    multi_turn__total=0,
)
# Three messages with tags, in any letter case, one with two of them: -0.3 each. The question comes to s = 0.5.
case(
    clarify("tags", say("<Context_Manager>{}</Context_Manager>"), say("Go </tool_call>?"), say("<TOOL_CALL>")),
    multi_turn__format_tags=-0.9,
    multi_turn__total=-0.4,
    single_step__format_tags=-0.9,
)


def interrupted(name, *reply, gold_calls=(("weather", {"city": "Oslo"}), ("weather", {"city": "Rome"}))):
    turns = [{"turn": 1, "signal": "interrupted", "calls": [gold_call(*call) for call in gold_calls]}]
    return dialogue(name, user("Wait, first the weather in Oslo and Rome"), *reply, tools=POOL, gold={"turns": turns})


# All gold calls made and nothing else: s = 2 x 2/2 - 1 = 1, the pivot succeeds. jga 2.5, progress 0.3,
# switch 0.5 x 2.0 x 1 = 1. Total 3.8.
case(
    interrupted("switch", calls(*AB)),
    metrics__ISSR=(1, 1),
    multi_turn__outcome_switch=1.0,
    multi_turn__total=3.8,
)
# One of the two: s = 2 x 1/2 - 1 = 0, not above 0.3. jga 1.25, progress 0.3.
case(interrupted("half", calls(AB[0])), metrics__ISSR=(0, 1), multi_turn__outcome_switch=0, multi_turn__total=1.55)
# Both and one more: pivot, s = 2 x 2/3 - 1 = 1/3 > 0.3: switch 0.5 x 2 x 1/3 = 1/3. jga 2.5 x 2/3, progress 0.3.
# `days` is no gold argument and 2 stands in no text: -0.8.
case(
    interrupted("more", calls(*AB, ("weather", {"city": "Oslo", "days": 2}))),
    metrics__ISSR=(1, 1),
    multi_turn__outcome_switch=1 / 3,
    multi_turn__total=5 / 3 + 0.3 + 1 / 3 - 0.8,
)
# No gold calls: s = 1 and a pivot without calls; s = -1 and none with one.
case(
    interrupted("chat", say("Sure."), gold_calls=()),
    metrics__ISSR=(1, 1),
    multi_turn__outcome_switch=1,
    multi_turn__total=1,
)
case(interrupted("chat-call", calls(AB[0]), gold_calls=()), metrics__ISSR=(0, 1), multi_turn__outcome_switch=0)


def chain(name, *messages, length=2, needs=True):
    """order -> ship -> ship ..., one turn."""
    chain_calls = [("order", {"item": "lamp"})] + [("ship", {"order_id": f"A{n}"}) for n in range(1, length)]
    links = [{"turn": 1, "call": n} for n in range(length)]
    for n in range(1, length if needs else 1):
        links[n]["needs"] = [{"link": n - 1, "field": "id", "param": "order_id"}]
    turns = [{"turn": 1, "calls": [gold_call(*call) for call in chain_calls]}]
    gold = {"turns": turns, "chains": [{"links": links}]}
    return dialogue(name, user("Order a lamp; A1 A2 A3 A4"), *messages, tools=POOL, gold=gold)


LAMP = ("order", {"item": "lamp"})
SHIPS = [("ship", {"order_id": f"A{n}"}) for n in range(1, 5)]
# r = 2/2: chain 0.5 x 4 = 2; DTCR worth 1. jga 2.5, progress 0.6. Total 5.1.
case(
    chain("chain-full", calls(LAMP), result("A1"), calls(SHIPS[0])),
    metrics__DTCR=(1.0, 1),
    multi_turn__outcome_chain=2.0,
    multi_turn__total=5.1,
)
# The wrong order: order is completed by the 2nd call; ship came before its need, so r = 1/2: 0.5 x 1, worth 0.25.
# Both are hits all the same. 2.5 + 0.6 + 0.5 = 3.6.
case(
    chain("chain-order", calls(SHIPS[0]), calls(LAMP)),
    metrics__DTCR=(0.25, 1),
    multi_turn__outcome_chain=0.5,
    multi_turn__total=3.6,
)
# Without needs the order does not matter.
case(chain("chain-free", calls(SHIPS[0]), calls(LAMP), needs=False), metrics__DTCR=(1.0, 1))
# The head missing: nothing after it is completed. r = 0.
case(chain("chain-head", calls(SHIPS[0])), metrics__DTCR=(0.0, 1), multi_turn__outcome_chain=0)
# Four of five: r = 0.8: 0.5 x 2.5, worth 0.625. jga 2.5 x 4/5 = 2, progress 0.6. Total 3.85.
case(
    chain("chain-high", calls(LAMP, *SHIPS[:3]), length=5),
    metrics__DTCR=(0.625, 1),
    multi_turn__outcome_chain=1.25,
    multi_turn__total=3.85,
)
# Two of five: r = 0.4, below every tier. jga 1.0, progress 0.6.
case(chain("chain-low", calls(LAMP, SHIPS[0]), length=5), metrics__DTCR=(0.0, 1), multi_turn__total=1.6)


def match(name, args, gold, more=None, text="Order a lamp"):
    turns = [{"turn": 1, "calls": [gold_call("order", gold, **(more or {}))]}]
    return dialogue(name, user(text), calls(("order", args)), tools=POOL, gold={"turns": turns})


# Equality of numbers, strings and types; loose where it differs.
case(match("int-float", {"count": 1.0}, {"count": 1}), metrics__JGA=(1, 1))
case(match("int-text", {"count": "1"}, {"count": 1}), metrics__JGA=(0, 1), metrics__JGA_loose=(1, 1))
case(match("big", {"count": 2**53 + 1}, {"count": 2**53}), metrics__JGA=(0, 1), metrics__JGA_loose=(0, 1))
case(match("bool-int", {"count": True}, {"count": 1}), metrics__JGA=(0, 1), metrics__JGA_loose=(0, 1))
case(match("bool-text", {"count": "True"}, {"count": True}), metrics__JGA=(0, 1), metrics__JGA_loose=(1, 1))
case(match("nfd", {"item": "cafe\u0301"}, {"item": "caf\u00e9"}), metrics__JGA=(1, 1))
case(match("case", {"item": "  Desk\u202fLAMP"}, {"item": "desk lamp"}), metrics__JGA=(0, 1), metrics__JGA_loose=(1, 1))
case(match("nested", {"item": {"b": [1, None], "a": "x"}}, {"item": {"a": "x", "b": [1.0, None]}}), metrics__JGA=(1, 1))
case(match("list-order", {"item": [1, 2]}, {"item": [2, 1]}), metrics__JGA=(0, 1))
case(match("accept", {"item": "lamps"}, {"item": "lamp"}, {"accept": {"item": ["lamps"]}}), metrics__JGA=(1, 1))
case(match("optional", {"item": "lamp"}, {"item": "lamp", "count": 2}, {"optional": ["count"]}), metrics__JGA=(1, 1))
case(match("not-optional", {"item": "lamp"}, {"item": "lamp", "count": 2}), metrics__JGA=(0, 1))
case(match("extra", {"item": "lamp", "count": 2}, {"item": "lamp"}), metrics__JGA=(0, 1))

# Grounding: word boundaries, case, inside lists; each wrong value costs 0.8.
# 20 stands alone in "20 lamps"; 2 does not; "LAMPS" is there folded; the list holds 20 and "moon": one argument.
case(
    dialogue(
        "grounding",
        user("I want 20 lamps (id_7)"),
        calls(("order", {"item": "LAMPS", "count": 20})),
        calls(("order", {"item": [20, "moon"], "count": 2})),
        calls(("order", {"item": "7", "count": ""})),
        tools=POOL,
        gold={"turns": [{"turn": 1, "kind": "language"}]},
    ),
    multi_turn__belief_halluc=-2.4,
)
# A value from the profile, one from a later message (too late: -0.8), an enum member, a default, null. Three calls
# are not more than three, so that no hit among them is no low precision.
case(
    dialogue(
        "grounding-sources",
        user("Go"),
        calls(("weather", {"city": "Bergen", "days": 9})),
        result("9 days"),
        calls(("bluetooth", {"action_type": "CLOSE"})),
        calls(("alarm", {"repeat": "once", "time": None})),
        tools=POOL,
        gold={"turns": []},
        profile={"home": {"city": "bergen"}},
    ),
    metrics__JGA=(0, 0),
    multi_turn__belief_halluc=-0.8,
    multi_turn__total=-0.8,
)




def lookup(name, text, *values, cost):
    """One call each whose item is one of the values; `cost` x 0.8 is what is made up."""
    case(
        dialogue(name, user(text), *(calls(("order", {"item": value})) for value in values), tools=POOL),
        multi_turn__belief_halluc=-0.8 * cost,
    )


# Numbers: 2 is cut out of 1.2, 2.5, 2024 and 2-3, and so are 200 of 1,200 and "05-20" of 2024-05-20. A point, comma or
# hyphen is part of a number only between two digits: "1.2" ends before ", 2.5", and "v.3" holds 3.
lookup("numbers-inside", "Rooms 1.2, 2.5, 2024, 2-3, 1,200 and 2024-05-20", 2, "05-20", "200", "1.2", 2024, cost=3)
lookup("numbers-apart", "I pay $2, or v.3; not 4. Then 5, 6", "2", 3, 4, "5", "$2", 6, cost=0)
# Scripts without spaces break at every character; digits beside them are words of their own, Latin letters and digits
# beside each other are not. Accents and other alphabets do not break.
lookup(
    "scripts",
    "\u73b0\u5728\u6e29\u5ea628\u5ea6\u3001\uc11c\uc6b8\ub85c",
    *("\u6e29\u5ea6", 28, "\uc11c\uc6b8", 8, "\u5ea628"),
    cost=1,
)
lookup(
    "letters",
    "\u00e9t\u00e9s \u043c\u043e\u0441\u043a\u0432\u044b R2D2",
    *("\u00e9t\u00e9", "\u043c\u043e\u0441\u043a\u0432", "R2", "r2d2", "R2D2 \u00e9t\u00e9s"),
    cost=4,
)
# Leaves: each must be found, wherever it is nested; an empty string and white space need no ground.
lookup("leaves", "Two lamps, 4", {"a": ["lamps", {"b": 4}], "c": ""}, ["two lamps"], [None, True, " "], [], cost=0)
lookup("leaves-one-missing", "Two lamps, 4", {"a": ["lamps", {"b": 5}]}, cost=1)


# A tool's JSON return: the address ends in "Apt 4" and not in "nApt 4", and the name holds quotes. `Pep` alone is there
# too, "nApt" is not: -0.8. The profile's JSON is read the same way.
case(
    dialogue(
        "escapes",
        user("Go"),
        result('{"address": "1 Main\\nApt 4", "who": "Jos\\u00e9 \\"Pep\\""}'),
        *(calls(("order", {"item": item})) for item in ("Apt 4", "main apt", 'Jos\u00e9 "Pep"', "pep", "nApt", "x/y z")),
        tools=POOL,
        profile={"home": "x/y\tz"},
    ),
    multi_turn__belief_halluc=-0.8,
)


def rewritten(name, second, third):
    """Gold: 2, then 3, then 2 again; only by turn, without a stale list. Turn 3 is a modification too."""
    steps = [{"item": "lamp", "count": count} for count in (2, 3, 2)]
    turns = [
        {"turn": n + 1, "signal": "modified" if n else "none", "calls": [gold_call("order", step)]}
        for n, step in enumerate(steps)
    ]
    messages = []
    for text, args in zip(("2 lamps", "no, 3", "well, 2"), (steps[0], second, third)):
        messages += user(text) + calls(("order", args)) + result("ok")
    return dialogue(name, messages, tools=POOL, gold={"turns": turns})


# Turn 2 repeats 2 although 3 is active: stale, and equal to the call before: the reward stops. SCRR 1 of 2.
case(
    rewritten("rewritten", {"item": "lamp", "count": 2}, {"item": "lamp", "count": 2}),
    metrics__SCRR=(1, 2),
    multi_turn__total=-2,
)
# In turn 3 the value 2 is active again: with a wrong item it is no hit, but not stale. `desk` is made up: -0.8.
# jga 2.5 x (1 + 1 + 0) = 5.0, progress 0.3: 4.5.
case(
    rewritten("active-again", {"item": "lamp", "count": 3}, {"item": "desk", "count": 2}),
    metrics__SCRR=(0, 2),
    multi_turn__belief_stale=0,
    multi_turn__total=4.5,
)
# In turn 3 the value 3 is overwritten by 2: stale, -0.5; `lamps` stands in the first user message. The call equals no
# earlier one, so nothing stops. jga 2.5 x (1 + 1 + 0), progress 0.3: 4.8.
case(
    rewritten("stale-later", {"item": "lamp", "count": 3}, {"item": "lamps", "count": 3}),
    metrics__SCRR=(1, 2),
    multi_turn__belief_jga=5.0,
    multi_turn__belief_stale=-0.5,
    multi_turn__belief_halluc=0,
    multi_turn__total=4.8,
)


# The metric of the dialogue's family is counted under the family's name too; with another family there is nothing to
# count, and without gold nothing can be.
for family, metric in (
    ("Baseline", "JGA"),
    ("Clarification", "JGA"),
    ("Interruption", "ISSR"),
    ("Chaining", "DTCR"),
    ("Accumulation", "DTCR"),
):
    own = chain(f"family-{family}", calls(LAMP), result("A1"), calls(SHIPS[0]))
    own["family"] = family
    own["gold"]["turns"][0]["signal"] = "interrupted"
    case(own, **{f"metrics__{family}_{metric}": (1, 1), "metrics__Modification_JGA": (0, 0)})
case(
    dialogue("family-no-gold", user("Hi"), say("Hi"), family="Baseline"),
    metrics__Baseline_JGA=None,
    metrics__Modification_JGA=None,
    metrics__Chaining_DTCR=None,
)
