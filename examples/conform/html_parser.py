"""Python's html.parser, for `speclex conform --feedback`: it decides by itself what follows a start tag. It reports no errors."""

import json
import sys
from html.parser import HTMLParser


class Tokens(HTMLParser):
    tokens = ()

    def handle_starttag(self, tag, attrs, *self_closing):
        # A list, since it keeps attributes that have the same name.
        self.tokens += (["StartTag", tag, [[name, value or ""] for name, value in attrs], *self_closing],)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs, True)

    def handle_endtag(self, tag):
        self.tokens += (["EndTag", tag],)

    def handle_data(self, data):
        self.tokens += (["Character", data],)

    def handle_comment(self, data):
        self.tokens += (["Comment", data],)

    def as_text(self, _):
        raise ValueError("it gives DOCTYPEs, instructions and CDATA sections as text")

    handle_decl = handle_pi = unknown_decl = as_text


def answer(request):
    if request["initialState"] != "Data state":
        return {"error": "it starts in data only"}
    parser, text, at = Tokens(), request["input"].encode(), 0
    try:
        for length in request.get("chunks", []) + [len(text)]:
            parser.feed(text[at:at + length].decode())
            at += length
        parser.close()
    except ValueError as refusal:
        return {"error": str(refusal)}
    return {"tokens": parser.tokens}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
