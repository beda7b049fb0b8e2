// The input: a box in which each character can be written, those too that a text area changes or does not show.

import { fill, h } from "./dom.js";

/** Characters that a text area cannot hold, or nobody sees. */
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

function escaped(text: string): string {
    return text.replace(/\\|[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, shown);
}

/** A character as it is written in a Rust string. */
export function shown(character: string): string {
    const known: Record<string, string> = { "\\": "\\\\", "\0": "\\0", "\r": "\\r", "\n": "\\n", "\t": "\\t" };
    return known[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

function unescaped(text: string): string {
    return text.replace(/\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))/gs, (all, code?: string, letter?: string) => {
        if (code !== undefined) {
            const point = Number.parseInt(code, 16);
            return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? all : String.fromCodePoint(point);
        }
        const known: Record<string, string> = { "0": "\0", r: "\r", n: "\n", t: "\t", "\\": "\\" };
        return known[letter!] ?? all;
    });
}

export class InputBox {
    private readonly box: HTMLTextAreaElement;
    private readonly escapes: HTMLInputElement;
    private readonly count = h("span", { class: "quiet" });
    readonly element: HTMLElement;

    constructor(changed: (input: string) => void) {
        this.box = h("textarea", {
            id: "input",
            rows: 6,
            spellcheck: "false",
            autocapitalize: "off",
            autocomplete: "off",
            oninput: () => {
                this.tell();
                changed(this.value);
            },
        });
        this.escapes = h("input", {
            type: "checkbox",
            id: "escapes",
            onchange: () => {
                const value = this.escapes.checked ? this.box.value : unescaped(this.box.value);
                this.box.value = this.escapes.checked ? escaped(value) : value;
                this.tell();
                changed(this.value);
            },
        });
        this.element = h(
            "div",
            { class: "input" },
            h("div", { class: "line" }, h("label", { for: "input" }, "Input"), this.count),
            this.box,
            h(
                "label",
                { class: "check", for: "escapes", title: "Such as \\0, \\r, \\u{c}; a backslash is \\\\" },
                this.escapes,
                " Escapes as in Rust: ",
                h("code", {}, "\\0 \\r \\u{c} \\\\"),
            ),
        );
    }

    get value(): string {
        return this.escapes.checked ? unescaped(this.box.value) : this.box.value;
    }

    set value(text: string) {
        if (text === this.value) return;
        if (HIDDEN.test(text)) this.escapes.checked = true;
        this.box.value = this.escapes.checked ? escaped(text) : text;
        this.tell();
    }

    focus(): void {
        this.box.focus();
    }

    private tell(): void {
        const bytes = new TextEncoder().encode(this.value).length;
        fill(this.count, `${bytes} ${bytes === 1 ? "byte" : "bytes"}`);
    }
}
