// What all views share: the place, the tables, and the parts from which views are made.

import { type Answers, Refused, type Row, type Start, type Table } from "./api.js";
import { button, type Child, fill, h, settled } from "./dom.js";
import { InputBox, shown } from "./input.js";
import { Offsets, type Place, written } from "./place.js";

export interface ViewParts {
    element: HTMLElement;
    /** Shows the place. */
    show(): void;
    /** Keys of this view: returns whether the key was one. */
    key?(event: KeyboardEvent): boolean;
}

export class App {
    place!: Place;
    readonly box: InputBox;
    /** The words above the input: how it starts. */
    readonly starts = h("p", { class: "chips" });
    private readonly save = settled(200, () => void this.link().then((it) => history.replaceState(null, "", it)));

    constructor(
        readonly known: Answers["start"],
        readonly go: (place: Partial<Place>) => void,
    ) {
        this.box = new InputBox((input) => this.go({ input }));
    }

    /** The place, in the address. */
    link(): Promise<string> {
        return written(this.place);
    }

    saved(): void {
        this.save();
    }

    row(name: string): Row | undefined {
        return this.known.tables.find((it) => it.name === name);
    }

    /** A list of all tables. */
    select(label: string, id: string, chosen: (name: string) => void): HTMLSelectElement {
        const select = h("select", { id, "aria-label": label, onchange: () => chosen(select.value) });
        const group = (title: string, wanted: (row: Row) => boolean) => {
            const rows = this.known.tables.filter(wanted);
            const options = rows.map((row) => h("option", { value: row.name, title: row.title }, row.name));
            if (options.length) select.append(h("optgroup", { label: title }, ...options));
        };
        group("Your tables", (row) => row.of === "own");
        group("Tokenizers", (row) => row.of === "shipped" && !row.isTree);
        group("Tree construction", (row) => row.of === "shipped" && row.isTree);
        group("Examples", (row) => row.of === "example");
        return select;
    }

    /** Shows the input, and how it starts, in a view. */
    showInput(view: HTMLElement): void {
        // A field that is moved loses the focus.
        if (this.box.element.parentElement !== view) view.append(this.starts, this.box.element);
        this.box.value = this.place.input;
        const words = startWords(this.place.start);
        fill(
            this.starts,
            ...words.map((word) => h("span", { class: "chip" }, word)),
            words.length > 0 && button("Read it as a page", () => this.go({ start: {} }), { class: "small" }),
        );
    }
}

/** How an input starts, where it is not as a page. */
function startWords(start: Start): string[] {
    const words: string[] = [];
    if (start.content) words.push(`in ${start.content}`);
    else if (start.statesAlone) words.push("states alone");
    if (start.lastStartTag) words.push(`after the start tag “${start.lastStartTag}”`);
    if (start.context) words.push(`fragment in <${start.context}>`);
    if (start.answer) words.push(start.questions?.length ? start.questions.join(", ") : "all questions are answered with yes");
    if (start.scripting && start.scripting !== "normal") words.push(`scripting: ${start.scripting}`);
    if (start.shadowRoots) words.push("declarative shadow roots");
    return words;
}

/** A table’s name, and whether it is edited. */
export function tableName(table: Table): string {
    return table.text === undefined ? table.name : `${table.name}, edited`;
}

/** Why there is no answer, for people. */
export function failure(error: unknown): HTMLElement {
    const faults = error instanceof Refused ? error.faults : [];
    return h(
        "div",
        { class: "failure", role: "alert" },
        h("p", {}, error instanceof Error ? error.message : String(error)),
        faults.length > 0 &&
            h("ol", {}, ...faults.slice(0, 50).map((it) => h("li", {}, `${it.file}:${it.line}:${it.column}: ${[it.message, it.help].filter(Boolean).join("; ")}`))),
    );
}

/** Text of an input: each character can be seen. */
export function visible(text: string): Child[] {
    const parts = text.split(/([\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff])/);
    return parts.map((part, index) => {
        if (index % 2 === 0) return part;
        const sign = h("span", { class: "sign" }, part === "\n" ? "↵" : shown(part));
        return part === "\n" ? h("span", {}, sign, "\n") : sign;
    });
}

/** More tokens are not laid over the input. */
const PIECES = 2000;

/** The input in pieces, one for each token, with the errors at their places. */
export function overlay(
    offsets: Offsets,
    pieces: { kind: string; start: number; end: number; title: string }[],
    errors: { offset: number; text: string }[],
    current = -1,
): HTMLElement {
    const text = offsets.text;
    const cuts = new Map<number, string[]>();
    for (const error of errors) {
        const at = offsets.index(error.offset);
        cuts.set(at, [...(cuts.get(at) ?? []), error.text]);
    }
    const marks = [...cuts.keys()].sort((one, other) => one - other);
    const element = h("pre", { class: "overlay", tabindex: 0 });
    const mark = (at: number) => {
        const label = cuts.get(at)!.join("\n");
        return h("span", { class: "error-mark", title: label, role: "img", "aria-label": label });
    };
    let [done, next] = [0, 0];
    const inside = (to: number): Child[] => {
        const children: Child[] = [];
        while (next < marks.length && marks[next]! < to) {
            const at = marks[next++]!;
            children.push(...visible(text.slice(done, at)), mark(at));
            done = Math.max(done, at);
        }
        children.push(...visible(text.slice(done, to)));
        done = Math.max(done, to);
        return children;
    };
    pieces.slice(0, PIECES).forEach((piece, index) => {
        const [start, end] = [offsets.index(piece.start), offsets.index(piece.end)];
        // What no token has: a dropped tag, a byte order mark.
        if (start > done) element.append(h("span", { class: "no-token" }, ...inside(start)));
        if (end <= done) return;
        element.append(
            h(
                "span",
                { class: `piece ${kindClass(piece.kind)}${index === current ? " current" : ""}`, title: piece.title, "data-index": index },
                ...inside(end),
            ),
        );
    });
    if (pieces.length > PIECES) {
        element.append(h("span", { class: "quiet" }, ` … and ${pieces.length - PIECES} more tokens`));
        return element;
    }
    if (done < text.length) element.append(h("span", { class: "no-token" }, ...inside(text.length)));
    for (; next < marks.length; next++) element.append(mark(marks[next]!));
    if (!text) element.append(h("span", { class: "quiet" }, "(empty)"));
    return element;
}

const KINDS: Record<string, string> = {
    characters: "characters",
    "start tag": "start-tag",
    "empty tag": "start-tag",
    "end tag": "end-tag",
    "short end tag": "end-tag",
    comment: "comment",
    DOCTYPE: "doctype",
};

export function kindClass(kind: string): string {
    return KINDS[kind] ?? "other-kind";
}
