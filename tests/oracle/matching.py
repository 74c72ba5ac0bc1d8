"""When a call is a gold call, which calls are hits, and which arguments are stale or made up."""

from trajectory import Malformed
from values import canonical, folded, leaf_texts, occurs


class Missing:
    """The value of something that cannot be evaluated, with the reason. Never the same as 0."""

    def __init__(self, reason):
        self.reason = reason

    def __repr__(self):
        return f"Missing({self.reason!r})"


def same_call(trace, call, gold, loose=False):
    if call.name != gold.name or isinstance(call.args, Malformed) or isinstance(gold.args, Malformed):
        return False
    form = folded if loose else canonical
    for param, value in call.args.items():
        if param in gold.args:
            accepted = [gold.args[param]] + list(gold.accept.get(param, []))
            if form(value) not in [form(other) for other in accepted]:
                return False
        elif not (loose and equals_default(trace, call.name, param, value)):
            return False
    for param, value in gold.args.items():
        if param not in call.args and param not in gold.optional:
            if not (loose and equals_default(trace, call.name, param, value)):
                return False
    return True


def equals_default(trace, tool, param, value):
    schema = trace.schema(tool, param)
    return schema is not None and "default" in schema and folded(schema["default"]) == folded(value)


class Hits:
    """Which calls are hits: each call, in order, uses up the first open gold call that it equals."""

    def __init__(self, trace, loose=False):
        self.calls = set()  # indices of calls
        self.used_gold = set()  # identities of gold calls
        if trace.gold_calls is None:
            return
        for call in trace.calls:
            for gold in trace.gold_calls:
                in_reach = gold.turn is None or gold.turn == call.turn
                if in_reach and id(gold) not in self.used_gold and same_call(trace, call, gold, loose):
                    self.calls.add(call.index)
                    self.used_gold.add(id(gold))
                    break

    def count(self, calls):
        return sum(1 for call in calls if call.index in self.calls)

    def uses_all(self, gold_calls):
        return all(id(gold) in self.used_gold for gold in gold_calls)


def active_value(trace, tool, param, turn, form=canonical):
    """The value of the parameter in the last gold call to the tool up to the turn that sets it, or None."""
    active = None
    for gold in trace.gold_calls:
        if gold.name == tool and gold.turn <= turn and param in gold.args:
            active = form(gold.args[param])
    return active


def is_overwritten(trace, tool, param, value, turn):
    """Whether the user gave up the value, which is canonical, by that turn."""
    for gold_turn in trace.gold_turns.values():
        if gold_turn.number <= turn:
            for stale_tool, stale_param, stale_value in gold_turn.stale:
                if stale_tool == tool and stale_param == param and canonical(stale_value) == value:
                    return True
    setters = [g for g in trace.gold_calls if g.name == tool and g.turn <= turn and param in g.args]
    for first in setters:
        for later in setters:
            if first.turn < later.turn and canonical(first.args[param]) == value != canonical(later.args[param]):
                return True
    return False


def stale_arguments(trace, hits):
    """(call, parameter) of every stale argument; needs gold by turn."""
    found = []
    for call in trace.calls:
        if call.turn == 0 or call.index in hits.calls:
            continue
        for param, value in call.args.items():
            value = canonical(value)
            if is_overwritten(trace, call.name, param, value, call.turn):
                if active_value(trace, call.name, param, call.turn) != value:
                    found.append((call, param))
    return found


def excess_calls(trace, hits):
    """Calls made more often than gold wants them."""
    excess = []
    count = {}
    for call in trace.calls:
        count[call.key] = count.get(call.key, 0) + 1
        wanted = sum(1 for gold in trace.gold_calls if same_call(trace, call, gold))
        if count[call.key] > max(1, wanted) and call.index not in hits.calls:
            excess.append(call)
    return excess


def calls_out_of_pool(trace, calls):
    return [call for call in calls if call.name not in trace.pool]


def is_grounded(trace, call, param, value):
    """Whether the agent can have the value from somewhere; gold counts where it is known by turn."""
    if value is None or isinstance(value, bool):
        return True
    form = folded(value)
    schema = trace.schema(call.name, param) or {}
    known = [schema["default"]] if "default" in schema else []
    known += schema.get("enum") or []
    if trace.gold_turns is not None:
        known += gold_values(trace, call, param)
        if active_value(trace, call.name, param, call.turn, folded) == form:
            return True
    if form in [folded(other) for other in known]:
        return True
    earlier = [text for position, text in trace.seen if position < call.message] + [trace.profile_text]
    return all(any(occurs(leaf, text) for text in earlier) for leaf in leaf_texts(value))


def gold_values(trace, call, param):
    """What the gold calls of the turn to the same tool accept for the parameter."""
    values = []
    for gold in trace.gold_calls:
        if gold.turn == call.turn and gold.name == call.name and param in gold.args:
            values += [gold.args[param]] + list(gold.accept.get(param, []))
    return values


def hallucinated_arguments(trace):
    """(call, parameter) of every made-up argument; needs the pool."""
    found = []
    for call in trace.calls:
        for param, value in call.args.items():
            undeclared = call.name in trace.pool and trace.schema(call.name, param) is None
            if undeclared or not is_grounded(trace, call, param, value):
                found.append((call, param))
    return found


def completed_links(trace, chain):
    """How many links of the chain were completed."""
    completed_by = []  # index of the completing call, or None, by link
    for link in chain:
        done = None
        earlier = [completed_by[need] for need in link.needs]
        if None not in earlier:
            for call in trace.calls:
                if all(call.index > index for index in earlier) and same_call(trace, call, link.gold_call):
                    done = call.index
                    break
        completed_by.append(done)
    return sum(1 for index in completed_by if index is not None)
