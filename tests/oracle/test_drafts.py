"""Checks the oracle of drafted blocks against small truths and the example worked out by hand."""

import os
import unittest

from drafts import SUB_BLOCKS, Draft, compare, plain

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "drafts")


def user(content):
    """The draft whose first sub-block has this content; the others are empty."""
    rest = "".join(f"<{name}>{{}}</{name}>" for name in SUB_BLOCKS[1:])
    return Draft(f"<Context_Manager><Current_User>{content}</Current_User>{rest}</Context_Manager>".encode())


class Reading(unittest.TestCase):
    def check(self, content, value, *faults):
        draft = user(content)
        self.assertEqual(plain(draft.value("Current_User")[1]), value, content)
        self.assertEqual({kind for _, kind in draft.faults}, set(faults), content)

    def test_json(self):
        self.check('{"a": "</Current_User>"}', {"a": "</Current_User>"})
        python = ("single_quotes", "python_literal", "inner_quote")
        self.check("{'a': True, 'b': 'it's'}", {"a": True, "b": "it's"}, *python)
        self.check('{"a": 1 "b": [1, 2}', {"a": 1, "b": [1, 2]}, "missing_comma", "unbalanced")
        self.check("{a b: 07:00, c}", {"a b": "07:00", "c": None}, "unquoted", "missing_value")
        self.check('so {"a": "x', {"a": "x"}, "text_before_json", "truncated")
        self.check("```json\n[1,,]\n```", [1], "fenced", "extra_comma")
        self.check("none", None, "no_json")

    def test_tags(self):
        draft = Draft(b"Hm <context-manager><CURRENT user>{}</Current_User><x>y</x></Tool_Decision_Guide> I go")
        kinds = {kind for name, kind in draft.faults if name is None}
        wanted = "text_before_block tag_spelling unknown_block stray_tag unclosed_block text_after_block"
        self.assertEqual(kinds, set(wanted.split()))
        self.assertIn(("Current_User", "tag_spelling"), draft.faults)

    def test_example(self):
        blocks = []
        for name in ("drafted.txt", "oracle.txt"):
            with open(os.path.join(DATA, name), "rb") as file:
                blocks.append(Draft(file.read()))
        seen = compare(*blocks)
        self.assertEqual([i for i, match in enumerate(seen["sub_blocks"]) if match["exact"]], [3, 4, 5, 7])
        self.assertEqual((seen["slots"]["drafted"], seen["slots"]["expected"], seen["slots"]["right"]), (1, 2, 0))
        self.assertEqual((seen["goal"], seen["intent"], seen["relation"]), (True, False, True))


if __name__ == "__main__":
    unittest.main()
