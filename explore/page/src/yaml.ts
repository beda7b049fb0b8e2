// Places in the text of a table: states, insertion modes, and their arms.

import { h } from "./dom.js";

export interface Found {
    file: string;
    lines: string[];
    /** The first line, from 0, and those of the arm. */
    line: number;
    end: number;
    /** Where the state begins. */
    top: number;
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll(/["']/g, "").trim();

const indent = (line: string) => line.length - line.trimStart().length;

/** Whether a line goes on to be of the block that begins with another indent. */
function inside(line: string, than: number): boolean {
    return line.trim() === "" || line.trimStart().startsWith("#") || indent(line) > than;
}

/** A state or insertion mode in each of the texts that has it. */
export function rulesIn(sources: [string, string][], name: string): Found[] {
    return sources.flatMap((source) => armIn([source], name, "\0") ?? []);
}

/** The arm of a state or insertion mode, in the first of the texts that has it; or else the state. */
export function armIn(sources: [string, string][], name: string, on: string): Found | undefined {
    // A part of a state is written where the state is.
    const names = [name, name.split(", ")[0]!].map(plain);
    let state: Found | undefined;
    for (const [file, text] of sources) {
        const lines = text.split("\n");
        for (let top = 0; top < lines.length; top++) {
            const head = /^ {2}(\S.*?):(?:\s|$)/.exec(lines[top]!);
            if (!head || !names.includes(plain(head[1]!))) continue;
            let bottom = top + 1;
            while (bottom < lines.length && inside(lines[bottom]!, 2)) bottom++;
            while (bottom > top + 1 && lines[bottom - 1]!.trim() === "") bottom--;
            state ??= { file, lines, line: top, end: bottom, top };
            for (let line = top + 1; line < bottom; line++) {
                const key = plain(lines[line]!.replace(/^\s*(\? )?/, ""));
                if (!key.startsWith(`${plain(on)}:`)) continue;
                let end = line + 1;
                while (end < bottom && inside(lines[end]!, indent(lines[line]!))) end++;
                return { file, lines, line, end, top };
            }
        }
    }
    return state;
}

/** The lines around a place, the place marked. */
export function yaml(found: Found, around = 12): HTMLElement {
    const from = Math.max(found.top, found.line - around);
    const to = Math.min(found.lines.length, Math.max(found.end, found.line + 1) + around);
    const rows = found.lines.slice(from, to).map((line, index) => {
        const number = from + index;
        const marked = number >= found.line && number < found.end;
        return h("span", { class: marked ? "row marked" : "row" }, h("span", { class: "number" }, number + 1), line.replace(/ {2,}#/, "  #"), "\n");
    });
    if (from > found.top) rows.unshift(h("span", { class: "row head" }, h("span", { class: "number" }, found.top + 1), `${found.lines[found.top]}\n`));
    return h("pre", { class: "yaml", tabindex: 0, "aria-label": `Lines of ${found.file}` }, ...rows);
}
