"""The tree builder of html5lib (Python), for `speclex conform`. Needs `pip install html5lib`."""

import json
import sys

import html5lib
from html5lib.constants import namespaces, prefixes

SPACES = {namespaces["html"]: "", namespaces["svg"]: "svg ", namespaces["mathml"]: "math "}


def lines(parent, depth):
    indent = "| " + "  " * depth
    for node in parent.childNodes:
        if node.nodeType == node.DOCUMENT_TYPE_NODE:
            identifiers = [node.publicId or "", node.systemId or ""]
            yield f"{indent}<!DOCTYPE {node.name}{''.join(f' {chr(34)}{it}{chr(34)}' for it in identifiers) if any(identifiers) else ''}>"
        elif node.nodeType == node.TEXT_NODE:
            yield f'{indent}"{node.data}"'
        elif node.nodeType == node.COMMENT_NODE:
            yield f"{indent}<!-- {node.data} -->"
        else:
            yield f"{indent}<{SPACES[node.namespaceURI]}{node.localName or node.tagName}>"
            attributes = [node.attributes.item(at) for at in range(node.attributes.length)]
            named = {f"{prefixes[it.namespaceURI]} {it.localName}" if it.namespaceURI else it.name: it.value for it in attributes}
            yield from (f'{indent}  {name}="{named[name]}"' for name in sorted(named))
            yield from lines(node, depth + 1)


def tree(request):
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("dom"))
    if "context" not in request:
        return parser.parse(request["document"], scripting=request["scripting"])
    if " " in request["context"]:
        return None
    return parser.parseFragment(request["document"], container=request["context"], scripting=request["scripting"])


for line in sys.stdin:
    request = json.loads(line)
    found = tree(request)
    if found:
        # It gives a text in pieces.
        found.normalize()
    answer = {"tree": "\n".join(lines(found, 0))} if found else {"error": "contexts are elements of HTML"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
