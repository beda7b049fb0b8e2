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
FORMS = {
    "Characters": lambda t: ["Character", t["data"]],
    "SpaceCharacters": lambda t: ["Character", t["data"]],
    "StartTag": lambda t: ["StartTag", t["name"], dict(t["data"])] + [True] * t["selfClosing"],
    "EndTag": lambda t: ["EndTag", t["name"]],
    "Comment": lambda t: ["Comment", t["data"]],
    "Doctype": lambda t: ["DOCTYPE", t["name"], t["publicId"], t["systemId"], t["correct"]],
}
FORMS = {tokenTypes[kind]: form for kind, form in FORMS.items()}


def tokens(request):
    text, at, pieces = request["input"].encode(), 0, []
    for length in request.get("chunks", []) + [len(text)]:
        pieces.append(text[at:at + length].decode())
        at += length
    rest = filter(None, pieces)
    file = SimpleNamespace(read=lambda size: next(rest, "") if size else "")
    tokenizer = HTMLTokenizer(file, parser=FOREIGN if request["cdataAllowed"] else None)
    tokenizer.state = getattr(tokenizer, STATES[request["initialState"].replace(" ", "").lower()])
    tokenizer.currentToken = {"type": tokenTypes["StartTag"], "name": request.get("lastStartTag", "")}
    return [FORMS[token["type"]](token) for token in tokenizer if token["type"] in FORMS]


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "tokens": tokens(request)}), flush=True)
