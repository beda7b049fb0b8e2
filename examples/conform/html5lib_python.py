"""The tokenizer of html5lib (Python), for `speclex conform`. Needs `pip install html5lib`. Its errors have codes of its own."""

import json
import sys
from types import SimpleNamespace

from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes

# "Script data state" is scriptDataState.
STATES = {state.lower(): state for state in dir(HTMLTokenizer) if state.endswith("State")}
# What it asks for the current node: one in another namespace.
FOREIGN = SimpleNamespace(tree=SimpleNamespace(openElements=[SimpleNamespace(namespace="svg")], defaultNamespace="html"))


def stream(request):
    """A file object whose `read` gives one piece after the other."""
    text, at, pieces = request["input"].encode(), 0, []
    for length in request.get("chunks", []) + [len(text)]:
        pieces.append(text[at:at + length].decode())
        at += length
    rest = filter(None, pieces)
    return SimpleNamespace(read=lambda size: next(rest, "") if size else "")


def tokens(request):
    tokenizer = HTMLTokenizer(stream(request), parser=FOREIGN if request["cdataAllowed"] else None)
    state = request["initialState"].replace(" ", "").lower()
    tokenizer.state = getattr(tokenizer, STATES[state])
    if "lastStartTag" in request:
        tokenizer.currentToken = {"type": tokenTypes["StartTag"], "name": request["lastStartTag"]}
    for token in tokenizer:
        kind = next(name for name, number in tokenTypes.items() if number == token["type"])
        if kind in ("Characters", "SpaceCharacters"):
            yield ["Character", token["data"]]
        elif kind in ("StartTag", "EmptyTag"):
            yield ["StartTag", token["name"], dict(token["data"])] + [True] * token["selfClosing"]
        elif kind == "EndTag":
            yield ["EndTag", token["name"]]
        elif kind == "Comment":
            yield ["Comment", token["data"]]
        elif kind == "Doctype":
            yield ["DOCTYPE", token["name"], token["publicId"], token["systemId"], token["correct"]]


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "tokens": list(tokens(request))}), flush=True)
