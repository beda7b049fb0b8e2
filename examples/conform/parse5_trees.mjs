// The tree builder of parse5 (JavaScript), for `speclex conform`. Needs `npm install parse5` in a folder around this file.
import { createInterface } from 'node:readline';
import { defaultTreeAdapter as adapter, html, parse, parseFragment } from 'parse5';

const PREFIXES = { [html.NS.HTML]: '', [html.NS.SVG]: 'svg ', [html.NS.MATHML]: 'math ' };

function* lines(parent, depth) {
    const indent = `| ${'  '.repeat(depth)}`;
    for (const node of parent.childNodes) {
        switch (node.nodeName) {
            case '#documentType': {
                const { name, publicId, systemId } = node;
                yield `${indent}<!DOCTYPE ${name}${publicId || systemId ? ` "${publicId}" "${systemId}"` : ''}>`;
                break;
            }
            case '#text':
                yield `${indent}"${node.value}"`;
                break;
            case '#comment':
                yield `${indent}<!-- ${node.data} -->`;
                break;
            default: {
                yield `${indent}<${PREFIXES[node.namespaceURI]}${node.tagName}>`;
                const attrs = node.attrs.map(({ name, namespace, prefix, value }) => [namespace ? `${prefix || 'xmlns'} ${name}` : name, value]);
                attrs.sort(([a], [b]) => (a < b ? -1 : 1));
                yield* attrs.map(([name, value]) => `${indent}  ${name}="${value}"`);
                if (node.content) {
                    yield `${indent}  content`;
                    yield* lines(node.content, depth + 2);
                }
                yield* lines(node, depth + 1);
            }
        }
    }
}

function tree({ document, context, scripting: scriptingEnabled }) {
    if (context === undefined) return parse(document, { scriptingEnabled });
    const [, space, name] = /^(?:(svg|math) )?(.*)$/.exec(context);
    const namespace = html.NS[{ svg: 'SVG', math: 'MATHML' }[space] ?? 'HTML'];
    return parseFragment(adapter.createElement(name, namespace, []), document, { scriptingEnabled });
}

for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    console.log(JSON.stringify({ id: request.id, tree: [...lines(tree(request), 0)].join('\n') }));
}
