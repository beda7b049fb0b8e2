// What the page shows, as the fragment of its address has it: a link shows one case.

import type { Start, Table } from "./api.js";

export const VIEWS = ["compare", "trace", "read", "change"] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
    view: View;
    /** The tables that are compared; the first is traced, read and changed. */
    a: Table;
    b: Table;
    input: string;
    start: Start;
    /** The step of a trace, from 0. */
    step: number;
    /** What is read: a state, an insertion mode. */
    at: string;
}

const BYTES = new TextEncoder();

/** An edit is long: it is compressed. */
async function packed(text: string): Promise<string> {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The most characters that an edit in a link may have. */
const MOST = 2_000_000;

async function unpacked(word: string): Promise<string | undefined> {
    try {
        const binary = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
        const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
        const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
        const decoder = new TextDecoder();
        let text = "";
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return text + decoder.decode();
            text += decoder.decode(value, { stream: true });
            // A short word may stand for very much.
            if (text.length > MOST) return undefined;
        }
    } catch {
        return undefined;
    }
}

export async function written(place: Place): Promise<string> {
    const words = new URLSearchParams();
    words.set("view", place.view);
    words.set("a", place.a.name);
    words.set("b", place.b.name);
    words.set("input", place.input);
    if (Object.keys(place.start).length > 0) words.set("start", JSON.stringify(place.start));
    if (place.step > 0) words.set("step", String(place.step));
    if (place.at) words.set("at", place.at);
    if (place.a.text !== undefined) words.set("a-text", await packed(place.a.text));
    if (place.b.text !== undefined) words.set("b-text", await packed(place.b.text));
    return `#${words}`;
}

/** What a fragment says. What it does not say, or says wrongly, is as in `place`. */
export async function read(fragment: string, place: Place, names: Set<string>): Promise<Place> {
    const words = new URLSearchParams(fragment.replace(/^#/, ""));
    const view = VIEWS.find((it) => it === words.get("view")) ?? place.view;
    const table = async (side: "a" | "b"): Promise<Table> => {
        const name = words.get(side) ?? "";
        if (!names.has(name)) return place[side];
        const word = words.get(`${side}-text`);
        const text = word === null ? undefined : await unpacked(word);
        return text === undefined ? { name } : { name, text };
    };
    const step = Number(words.get("step") ?? 0);
    return {
        view,
        a: await table("a"),
        b: await table("b"),
        input: words.get("input") ?? place.input,
        start: words.has("input") ? start(words.get("start") ?? "{}") : place.start,
        step: Number.isSafeInteger(step) && step > 0 ? step : 0,
        at: words.get("at") ?? "",
    };
}

/** A link is input like any other: what has another type is left out. */
function start(text: string): Start {
    let read: unknown;
    try {
        read = JSON.parse(text);
    } catch {
        return {};
    }
    const start: Start = {};
    if (typeof read !== "object" || read === null) return start;
    const all = read as Record<string, unknown>;
    // In the order of `Start`, so that the same start is the same text.
    for (const key of ["content", "lastStartTag", "answer", "questions", "statesAlone", "context", "scripting", "shadowRoots"] as const) {
        const value = all[key];
        if (key === "answer" || key === "statesAlone" || key === "shadowRoots") {
            if (value === true) start[key] = true;
        } else if (key === "questions") {
            if (Array.isArray(value) && value.every((it) => typeof it === "string")) start[key] = value;
        } else if (typeof value === "string") start[key] = value;
    }
    return start;
}

/** Places in a text: from byte offsets, which tables count in, to indices of a string, lines and columns. */
export class Offsets {
    private readonly indices: number[] = [];
    /** Where lines begin. */
    private readonly lines: number[] = [0];

    constructor(readonly text: string) {
        let index = 0;
        for (const character of text) {
            const bytes = character.length === 1 && character < "\x80" ? 1 : BYTES.encode(character).length;
            for (let byte = 0; byte < bytes; byte++) this.indices.push(index);
            index += character.length;
        }
        this.indices.push(index);
        for (const newline of text.matchAll(/\r\n|\r|\n/g)) this.lines.push(newline.index + newline[0].length);
    }

    index(offset: number): number {
        return this.indices[Math.min(offset, this.indices.length - 1)] ?? 0;
    }

    /** `line:column`, from 1, in UTF-16 code units, as the commands print it. */
    at(offset: number): string {
        const index = this.index(offset);
        // The last line that begins there or before.
        let [low, high] = [0, this.lines.length - 1];
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.lines[middle]! <= index) low = middle;
            else high = middle - 1;
        }
        return `${low + 1}:${index - this.lines[low]! + 1}`;
    }
}
