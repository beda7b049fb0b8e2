"""The tree builder of lexbor through selectolax (Python), for `speclex conform`. Needs `pip install selectolax`.

It does not show namespaces, so they are worked out from the parents; nor the identifiers of a DOCTYPE, so documents with some are refused.
"""

import json
import re
import sys

from selectolax.lexbor import LexborHTMLParser

NAMES = {"xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type", "xml:lang", "xml:space", "xmlns:xlink"}
# Start tags that leave foreign content; `font` with some attributes.
LEAVING = set(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s"
    " small span strong strike sub sup table tt u ul var".split()
)
TEXTS = {"mi", "mo", "mn", "ms", "mtext"}


def space_in(node, space, parent, attributes):
    """The namespace of an element in a parent with this namespace, name and attributes."""
    is_html = (
        space == ""
        or node.tag in LEAVING
        or node.tag == "font" and {"color", "face", "size"} & set(node.attributes)
        or space == "svg " and parent in {"foreignObject", "desc", "title"}
        or space == "math " and parent in TEXTS and node.tag not in {"mglyph", "malignmark"}
        or space == "math " and parent == "annotation-xml" and (attributes.get("encoding") or "").lower() in {"text/html", "application/xhtml+xml"}
    )
    if node.tag == "svg" and (is_html or parent == "annotation-xml"):
        return "svg "
    return ("math " if node.tag == "math" else "") if is_html else space


def lines(node, depth, space, parent="", attributes={}):
    indent = "| " + "  " * depth
    while node:
        if node.is_text_node:
            yield f'{indent}"{node.text_content}"'
        elif node.is_comment_node:
            yield f"{indent}<!-- {node.html[4:-3]} -->"
        elif not node.is_element_node and node.html.startswith("<?"):
            # The text of the last node in a fragment goes on.
            yield f"{indent}<?{node.html[2:].partition('?>')[0]}>"
        elif node.is_element_node:
            own = space_in(node, space, parent, attributes)
            yield f"{indent}<{own}{node.tag}>"
            named = {name: value or "" for name, value in node.attributes.items()}
            if own:
                named = {name.replace(":", " ") if name in NAMES else "xmlns xmlns" if name == "xmlns" else name: it for name, it in named.items()}
            yield from (f'{indent}  {name}="{named[name]}"' for name in sorted(named))
            if node.tag == "template" and not own:
                yield f"{indent}  content"
                for fragment in node.template_fragments()[:1]:
                    yield from lines(fragment.first_child, depth + 2, "")
            yield from lines(node.first_child, depth + 1, own, node.tag, node.attributes)
        node = node.next


def tree(request):
    text, context = request["document"], request.get("context")
    if context is not None:
        *space, name = context.split(" ", 1)
        space = space[0] if space else "html"
        parser = LexborHTMLParser(text, is_fragment=True, fragment_tag=name, fragment_namespace=space, scripting=request["scripting"])
        return "\n".join(lines(parser.root, 0, "" if space == "html" else space + " ", name))
    parser = LexborHTMLParser(text, scripting=request["scripting"])
    first = parser.root
    while first.prev:
        first = first.prev
    doctype = re.match(r"<!DOCTYPE ?([^>]*)>", parser.html)
    doctype = [f"| <!DOCTYPE {doctype[1]}>"] if doctype else []
    comments = list(lines(first, 0, ""))
    # Comments before the DOCTYPE come first.
    return "\n".join(doctype + comments)


for line in sys.stdin:
    request = json.loads(line)
    if re.search(r"<!doctype\s[^>]*(public|system|>[^>]*<!doctype)", request["document"], re.IGNORECASE):
        answer = {"error": "identifiers of DOCTYPEs are not shown"}
    else:
        answer = {"tree": tree(request)}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
