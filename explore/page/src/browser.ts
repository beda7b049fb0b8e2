// The tree that this browser makes of a document, in html5lib's form. The document is inert: nothing in it runs, loads or is shown.

interface Policy {
    createHTML(text: string): string;
}

interface Factory {
    createPolicy(name: string, rules: Policy): Policy;
}

const factory = (window as unknown as { trustedTypes?: Factory }).trustedTypes;
// The one place that reads a text as HTML.
const rules: Policy = { createHTML: (text) => text };
const policy = factory?.createPolicy("this-browser", rules) ?? rules;

const SPACES: Record<string, string> = {
    "http://www.w3.org/2000/svg": "svg ",
    "http://www.w3.org/1998/Math/MathML": "math ",
};
const ATTRIBUTES: Record<string, string> = {
    "http://www.w3.org/1999/xlink": "xlink ",
    "http://www.w3.org/XML/1998/namespace": "xml ",
    "http://www.w3.org/2000/xmlns/": "xmlns ",
};

export function browserTree(input: string): string {
    const parsed = new DOMParser().parseFromString(policy.createHTML(input), "text/html");
    const lines: string[] = [];
    // Trees may be deeper than a stack of calls.
    const open: [Node | string, number][] = [];
    const push = (nodes: Iterable<Node>, depth: number) => {
        for (const node of [...nodes].reverse()) open.push([node, depth]);
    };
    push(parsed.childNodes, 0);
    for (let next = open.pop(); next; next = open.pop()) {
        const [node, depth] = next;
        const line = (text: string, more = 0) => lines.push(`| ${"  ".repeat(depth + more)}${text}`);
        if (typeof node === "string") {
            line(node);
        } else if (node instanceof DocumentType) {
            const ids = node.publicId || node.systemId ? ` "${node.publicId}" "${node.systemId}"` : "";
            line(`<!DOCTYPE ${node.name}${ids}>`);
        } else if (node.nodeType === Node.ELEMENT_NODE) {
            const element = node as Element;
            line(`<${SPACES[element.namespaceURI ?? ""] ?? ""}${element.localName}>`);
            const attributes = [...element.attributes].map((it): [string, string] => {
                const space = ATTRIBUTES[it.namespaceURI ?? ""];
                return [space ? space + it.localName : it.name, it.value];
            });
            attributes.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
            for (const [name, value] of attributes) line(`${name}="${value}"`, 1);
            push(element.childNodes, depth + 1);
            const contents = (element as HTMLTemplateElement).content;
            if (element.localName === "template" && contents instanceof DocumentFragment) {
                push(contents.childNodes, depth + 2);
                open.push(["content", depth + 1]);
            }
        } else if (node.nodeType === Node.TEXT_NODE) {
            line(`"${node.nodeValue}"`);
        } else if (node.nodeType === Node.COMMENT_NODE) {
            line(`<!-- ${node.nodeValue} -->`);
        } else if (node.nodeType === Node.PROCESSING_INSTRUCTION_NODE) {
            line(`<?${(node as ProcessingInstruction).target} ${node.nodeValue}>`);
        }
    }
    return lines.map((it) => `${it}\n`).join("");
}
