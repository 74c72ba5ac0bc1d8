"""Recognition as the belief state uses it: the rules of docs/recognition.md with what a dialogue has brought up so far.

The rules are in belief_cues.py, belief_entities.py, belief_candidates.py, belief_mentions.py and belief_results.py.
"""

import belief_cues
import belief_candidates
import belief_mentions
import belief_results
from belief_json import Escaped, cut_to_bytes, encoded, read_json
from belief_parameters import Tools
from belief_text import Text

SEEN_LIMIT = 128
ATTRIBUTE_LIMIT = 40  # bytes
REPLY_LIMIT = 4096  # bytes


class Recognition:
    """`slots` of the methods: (tool, param) -> the value that holds now."""

    def __init__(self, tools):
        self.tools = Tools(tools)
        self.begin()

    def begin(self):
        """Nothing seen, nothing asked."""
        self.seen = []
        self.asked = []  # (tool or None, name) that the last reply asked for
        self.replied = Text("")  # the last reply
        self.text = Text("")

    def read(self, text):
        """The Text of a message, which is split once."""
        if self.text.source != text:
            self.text = Text(text)
        return self.text

    def classify(self, text):
        return belief_cues.classify(self.read(text))

    def mentioned(self, text, slots, tool=None):
        said = self.read(text)
        found = belief_mentions.mentioned(said, self.tools, self.seen, self.asked_parameters(), slots, tool)
        if belief_mentions.agrees(said):
            names = {mention.param.name for mention in found}
            offered = belief_mentions.mentioned(self.replied, self.tools, self.seen, set(), slots, tool)
            offered = [mention for mention in offered if mention.is_offer(slots)]
            found = found + [mention for mention in offered if mention.param.name not in names]
        return [(mention.param.tool, mention.param.name, mention.value) for mention in found]

    def asked_parameters(self):
        """The parameters that the last reply asked for; a bare name stands for those of all tools."""
        params = [param for param in self.tools.params()]
        return {p for tool, name in self.asked for p in params if p.name == name and tool in (None, p.tool)}

    def resolved(self, text, things):
        return belief_results.References(self.read(text), things).find() if things else []

    def result(self, text):
        """What a return says: (error, value as read_json gives it); its values are seen from now on."""
        value = read_json(text or "")
        if value is not None:
            self.see(value[0])
        return belief_results.is_error(text), value

    def see(self, value):
        for number, (leaf, attribute) in enumerate(belief_results.leaves_of(value)):
            if number >= belief_results.LEAVES:
                break
            if attribute is not None and len(encoded(attribute)) <= ATTRIBUTE_LIMIT and worth_seeing(leaf):
                again = [seen for seen in self.seen if (seen.value, seen.attribute) != (leaf, attribute)]
                self.seen = [*again, belief_candidates.Seen(leaf, attribute)][-SEEN_LIMIT:]

    def thing(self, tool, text, value, error):
        """(type, status) of an object."""
        return belief_results.type_of(tool, value[0] if value else None), belief_results.status_of(text, value, error)

    def reply(self, text, slots, tool):
        """(asks, missing) of a reply; `missing` as (tool or None, name)."""
        said = self.read(text)
        self.replied = said if len(encoded(text)) <= REPLY_LIMIT else Text(cut_to_bytes(text, REPLY_LIMIT))
        asks = bool(belief_results.asking_sentences(said))
        self.asked = belief_results.missing(said, self.tools, slots, tool) if asks else []
        return asks, self.asked

    def parameter_named(self, text, tool):
        """(tool, param) of tool.param or of a parameter's name, or (None, None)."""
        for param in self.tools.params():
            if f"{param.tool}.{param.name}" == text:
                return param.tool, param.name
        own = [param for param in self.tools.params(tool) if param.name == text] if tool is not None else []
        for param in own + [param for param in self.tools.params() if param.name == text]:
            return param.tool, param.name
        return None, None


def worth_seeing(leaf):
    if isinstance(leaf, str):
        return not isinstance(leaf, Escaped) and 2 <= len(leaf.encode("utf-8", "surrogatepass")) <= 64
    if isinstance(leaf, int) and not isinstance(leaf, bool):
        return leaf >= 0 and 3 <= len(str(leaf)) <= 18
    return False
