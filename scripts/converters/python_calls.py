"""Calls written as Python: `name(param="x", other=[1, True])`, with Python's or JSON's true, false and null."""

import ast
import json

from converters.native import call


def read_calls(text):
    """The calls of `[f(a=1), g()]`; None if the text is not that, or an argument has no name or is no literal."""
    try:
        listed = ast.parse(text.strip(), mode="eval").body
        if not isinstance(listed, ast.List) or not listed.elts:
            return None
        return [read_call(item) for item in listed.elts]
    except (SyntaxError, ValueError, RecursionError):
        return None


def read_call(node):
    if not isinstance(node, ast.Call) or node.args or any(keyword.arg is None for keyword in node.keywords):
        raise ValueError("no call with named arguments")
    arguments = {keyword.arg: literal(keyword.value) for keyword in node.keywords}
    return call(ast.unparse(node.func), arguments)


class JsonNames(ast.NodeTransformer):
    """true, false and null inside Python."""

    VALUES = {"true": True, "false": False, "null": None}

    def visit_Name(self, node):
        return ast.Constant(self.VALUES[node.id]) if node.id in self.VALUES else node


def literal(node):
    """As JSON has it: a tuple is a list. What JSON has not (a set, bytes) is a ValueError."""
    try:
        return json.loads(json.dumps(ast.literal_eval(JsonNames().visit(node)), allow_nan=False))
    except TypeError as error:
        raise ValueError(str(error)) from error
