"""The renders of specs/iacm/belief.wend, transcribed by hand: the Context Manager block and the summary for drafts."""

from belief_json import TAG_ESCAPES, hole, written

INTENT_TYPES = {
    "modified": "modify_previous_task",
    "interrupted": "switches_topic",
    "reset": "cancel_previous_task",
    "clarify": "ambiguous_modify_request",
    "accumulate": "append_subtask",
    "none": "new_task",
}
RELATIONS = {
    "modified": "overrides",
    "interrupted": "suspends",
    "reset": "discards",
    "accumulate": "extends",
    "clarify": "unclear",
    "none": "continues",
}


class Members(list):
    """An object of the render: (key, value) in order; a key may come twice."""


class Made(list):
    """A list that the render makes with `for`, which a limit may shorten; MadeMembers likewise an object."""


class MadeMembers(Members, Made):
    pass


class Keys(list):
    """`keys(...)`, which no limit shortens."""


def keys(slots):
    return Keys(slot.key for slot in slots)


def blocked(b):
    return b.signal == "clarify" or any(not question.suspended for question in b.pending)


def ready(b):
    return [b.current] if b.current.text is not None and not blocked(b) else []


def context_manager_blocks(b):
    """(name, content) of the nine sub-blocks."""
    can_work = bool(ready(b))
    return [
        ("Current_User", Members([("intent_type", INTENT_TYPES[b.signal]), ("current_turn_requires_tool", can_work)])),
        (
            "Overall_User_Task",
            Members(
                [
                    ("full_intent", b.current.text),
                    ("current_turn_boundary", "waiting for user input" if blocked(b) else "continue executing"),
                    ("deferred_intent_summary", Made(goal.text for goal in b.deferred)),
                ]
            ),
        ),
        (
            "History_Relation",
            Members(
                [
                    ("relation_to_history", RELATIONS[b.signal]),
                    ("inherit_slots", keys(b.active)),
                    ("override_slots", keys(b.stale)),
                    ("reason", b.signal),
                ]
            ),
        ),
        ("Resolved_References", MadeMembers((phrase, value) for phrase, value in b.references)),
        ("Active_Objects", MadeMembers((thing.id, object_content(thing)) for thing in b.objects)),
        (
            "Pending_Or_Interrupted_Tasks",
            Made(
                Members([("task_id", f"P{i}"), ("description", question.text), ("status", "blocked")])
                for i, question in enumerate(b.pending, 1)
            ),
        ),
        ("Task_Graph_For_Current_Turn", Made(task_content(b, i, goal) for i, goal in enumerate(ready(b), 1))),
        (
            "Deferred_Tasks_After_Current_Turn",
            Made(
                Members(
                    [
                        ("task_id", f"D{i}"),
                        ("description", goal.text),
                        ("status", "deferred"),
                        ("reason", "set aside in favour of the current task"),
                    ]
                )
                for i, goal in enumerate(b.deferred, 1)
            ),
        ),
        (
            "Tool_Decision_Guide",
            Members(
                [
                    ("call_tool_now", can_work),
                    ("ask_user_instead", blocked(b)),
                    ("must_override_arguments", keys(b.stale)),
                    ("unresolved_slots", Made(q.text for q in b.pending if not q.suspended)),
                    (
                        "common_error_warnings",
                        Made(f"{slot.key} is no longer {hole(old)}" for slot in b.stale for old in slot.replaced),
                    ),
                ]
            ),
        ),
    ]


def object_content(thing):
    return Members(
        [
            ("type", thing.type),
            ("status", thing.status),
            ("canonical_slots", MadeMembers((slot.param, slot.value) for slot in thing.slots)),
            ("last_tool", thing.tool),
            ("last_result", thing.result),
        ]
    )


def task_content(b, number, goal):
    return Members(
        [
            ("task_id", f"T{number}"),
            ("description", goal.text),
            ("arguments", MadeMembers((slot.key, slot.value) for slot in b.active)),
            ("depends_on", []),
            ("status", "ready"),
            ("execute_in_current_assistant_turn", True),
        ]
    )


def summary_blocks(b):
    return [
        (
            "State",
            Members(
                [
                    ("goal", b.current.text),
                    ("signal", b.signal),
                    ("slots", MadeMembers((slot.key, slot.value) for slot in b.active)),
                    ("stale", keys(b.stale)),
                    ("pending", Made(question.text for question in b.pending)),
                ]
            ),
        ),
        ("Last_Action", Members([("tool", b.action.tool), ("result", b.action.result)])),
    ]


# Writing.


class Limit:
    """How much of a sub-block is shown; None: all of it."""

    def __init__(self):
        self.text = None
        self.items = None


def cut(text, limit):
    if limit.text is None or len(text) <= limit.text:
        return text
    return text[: limit.text - 1] + "\u2026"


def content_text(value, limit):
    if isinstance(value, Made) and limit.items is not None:
        value = type(value)(value[len(value) - limit.items :] if len(value) > limit.items else value)
    if isinstance(value, str):
        return written(cut(value, limit))
    if isinstance(value, Keys):
        return written(value)
    if isinstance(value, Members):
        return "{" + ",".join(written(key) + ":" + content_text(item, limit) for key, item in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(content_text(item, limit) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(written(key) + ":" + content_text(item, limit) for key, item in value.items()) + "}"
    return written(value, TAG_ESCAPES)


def as_xml(name, blocks, limits):
    lines = [f"<{block}>{content_text(content, limits[block])}</{block}>\n" for block, content in blocks]
    return f"<{name}>\n{''.join(lines)}</{name}>"


def as_json(_, blocks, limits):
    return "{" + ",".join(written(block) + ":" + content_text(content, limits[block]) for block, content in blocks) + "}"


def tokens_of(text):
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)


STEPS = (("text", 160), ("items", 16), ("text", 60), ("items", 4), ("items", 0))


def fitted(write, name, blocks, shortening, fits):
    """(text, over_budget): in full, then under one more limit after the other until it fits."""
    limits = {block: Limit() for block, _ in blocks}
    text = write(name, blocks, limits)
    for what, size in STEPS:
        for block in shortening:
            if fits(text):
                return text, False
            setattr(limits[block], what, size)
            text = write(name, blocks, limits)
    return text, not fits(text)


def context_manager(b):
    blocks = context_manager_blocks(b)
    return as_xml("Context_Manager", blocks, {block: Limit() for block, _ in blocks})


def state_summary(b):
    blocks = summary_blocks(b)
    return as_json("State_Summary", blocks, {block: Limit() for block, _ in blocks})
