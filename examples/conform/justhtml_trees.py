"""The tree builder of JustHTML (Python), for `speclex conform`. Needs `pip install justhtml`."""

import json
import sys

from justhtml import JustHTML
from justhtml.core.constants import FOREIGN_ATTRIBUTE_ADJUSTMENTS
from justhtml.parser.context import FragmentContext


def lines(parent, depth):
    indent = "| " + "  " * depth
    for node in parent.children or []:
        if node.name == "#text":
            yield f'{indent}"{node.data}"'
        elif node.name == "#comment":
            yield f"{indent}<!-- {node.data} -->"
        elif node.name == "#processing-instruction":
            yield f"{indent}<?{node.data}>"
        elif node.name == "!doctype":
            identifiers = [node.data.public_id or "", node.data.system_id or ""]
            quoted = "".join(f' "{it}"' for it in identifiers) if any(identifiers) else ""
            yield f"{indent}<!DOCTYPE {node.data.name or ''}{quoted}>"
        else:
            is_html = node.namespace in (None, "html")
            yield f"{indent}<{'' if is_html else node.namespace + ' '}{node.name}>"
            named = {}
            for name, value in node.attrs.items():
                prefix, local, _ = ("", name, "") if is_html else FOREIGN_ATTRIBUTE_ADJUSTMENTS.get(name, ("", name, ""))
                named[f"{prefix or 'xmlns'} {local}" if prefix != "" else local] = value or ""
            yield from (f'{indent}  {name}="{named[name]}"' for name in sorted(named))
            if is_html and node.name == "template":
                yield f"{indent}  content"
                yield from lines(node.template_content, depth + 2)
            yield from lines(node, depth + 1)


def tree(request):
    context = request.get("context")
    if context is not None:
        *space, name = context.split(" ", 1)
        context = FragmentContext(name, *space)
    return JustHTML(
        request["document"], sanitize=False, fragment_context=context, fragment=context is not None, scripting_enabled=request["scripting"]
    ).root


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "tree": "\n".join(lines(tree(request), 0))}), flush=True)
