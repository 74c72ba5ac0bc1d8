"""Reads a page of `wend belief --html` as a browser does, and holds it against the steps."""
import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.inside, self.data, self.loads = False, "", []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside = tag == "script" and attributes.get("type") == "application/json"
        self.loads += [v for k, v in attributes.items() if k in ("src", "href")]

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


page = Page()
text = open(sys.argv[1], encoding="utf-8").read()
page.feed(text)
same = json.loads(page.data)["steps"] == json.load(open(sys.argv[2], encoding="utf-8"))
print("the same steps" if same else "other steps")
print("loads something" if page.loads or "://" in text.replace(page.data, "") or "@import" in text else "loads nothing")
