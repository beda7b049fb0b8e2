// A table, edited: what is wrong with it while it is written, and what it makes of the input beside the table as it was.

import { ask, type Effect, type Fault, Refused, search, type Word } from "./api.js";
import { App, failure, type ViewParts, visible } from "./app.js";
import { outcomePart } from "./compare.js";
import { button, download, fill, h, settled } from "./dom.js";
import type { Editor } from "./editor.js";

/** What faults call the text of an edit. */
const EDIT = "edit.yaml";

export function changeView(app: App): ViewParts {
    const select = app.select("Table", "change-table", (name) => void begin(name));
    const inputHere = h("div", {});
    const place = h("div", { class: "editor-place" });
    const status = h("p", { class: "check-status", role: "status" });
    const list = h("ol", { class: "faults" });
    const effect = h("div", { class: "effect", role: "status" });
    const saved = h("div", { class: "downloads" });
    const outcome = outcomePart(app, () => [{ name: app.place.a.name }, edited()]);
    const hint = h("p", { class: "quiet" }, "A is the table as it is, B is your edit.");
    const element = h(
        "div",
        { class: "view change" },
        h(
            "section",
            { "aria-label": "The table’s text" },
            h(
                "div",
                { class: "tables" },
                h("label", { for: "change-table" }, "Table"),
                select,
                button("Extend it", () => void extend(), { title: "Begin a table that extends this one and holds only what differs" }),
            ),
            place,
            status,
            list,
            saved,
            effect,
        ),
        h("div", { class: "beside" }, inputHere, hint, outcome.element),
    );
    fill(
        saved,
        button("What does it change?", () => void look(), { id: "look", title: "Searches short inputs that show the change, or proves that there is none" }),
        button("Save table", () => download(fileName("yaml"), editor?.text ?? ""), { id: "save-table" }),
        button("Save Rust", () => void save("rust", "rs"), { id: "save-rust" }),
        button("Save test", () => void save("test", app.row(app.place.a.name)?.isTree ? "dat" : "test"), {
            id: "save-test",
            title: "What the edit makes of the input, in the form of html5lib-tests",
        }),
        button("Discard the edit", () => void begin(app.place.a.name, true), { id: "discard" }),
    );
    let editor: Editor | undefined;
    let words: Word[] = [];
    let names: string[] = [];
    /** The table whose text is in the editor. */
    let base = "";
    let running: AbortController | undefined;
    let searching: AbortController | undefined;

    function edited() {
        const { a, b } = app.place;
        return b.name === a.name && b.text !== undefined ? b : { name: a.name };
    }

    function fileName(ending: string): string {
        const named = /^(?:table|tree):\s*["']?([\w.-]+)/m.exec(editor?.text ?? "");
        return `${named?.[1] ?? "table"}.${ending}`;
    }

    /** Opens a table: as it is, or as the place has it. */
    async function begin(name: string, discard = false): Promise<void> {
        base = name;
        try {
            const [read, known, made] = await Promise.all([
                ask("source", { name }),
                words.length ? undefined : ask("words", {}),
                editor ? undefined : import("./editor.js"),
            ]);
            words = known?.words ?? words;
            if (!editor) {
                editor = made!.editor(words, () => names, changed);
                fill(place, editor.element);
            }
            names = [...new Set([...read.text.matchAll(/^ {2}([a-zA-Z][^:#]*):/gm)].map((it) => it[1]!))];
            const { a, b } = app.place;
            const keep = !discard && a.name === name && b.name === name && b.text !== undefined;
            editor.set(keep ? b.text! : read.text);
            app.go(keep ? {} : { a: { name }, b: { name } });
            checkSoon();
        } catch (error) {
            fill(list, failure(error));
        }
    }

    async function extend(): Promise<void> {
        const name = app.place.a.name;
        const isTree = app.row(name)?.isTree;
        const { text } = await ask("source", { name });
        const tokenizer = /^tokenizer:.*$/m.exec(text)?.[0];
        const head = isTree ? `tree: mine\ntitle: My change of ${name}\nextends: ${name}\n${tokenizer ? `${tokenizer}\n` : ""}\ninsertion modes:\n  ` : `table: mine\ntitle: My change of ${name}\nextends: ${name}\n\nstates:\n  `;
        editor?.set(head);
        changed(head);
        editor?.goTo(head.split("\n").length);
    }

    function changed(text: string): void {
        // What was found was of another edit.
        searching?.abort();
        fill(effect);
        app.go({ b: { name: app.place.a.name, text } });
        checkSoon();
    }

    async function check(): Promise<void> {
        running?.abort();
        running = new AbortController();
        const { signal } = running;
        const before = performance.now();
        try {
            const { diagnostics } = await ask("check", { table: { name: app.place.a.name, text: editor!.text } }, signal);
            if (signal.aborted) return;
            element.dataset["checked"] = String(Math.round(performance.now() - before));
            show(diagnostics);
        } catch (error) {
            if (signal.aborted) return;
            fill(status, error instanceof Refused ? error.message : String(error));
        }
    }
    const checkSoon = settled(60, () => void check());

    function show(diagnostics: Fault[]): void {
        const here = diagnostics.filter((it) => it.file === EDIT);
        editor?.faults(here);
        const errors = diagnostics.filter((it) => it.severity === "error").length;
        const rest = diagnostics.length - errors;
        const count = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;
        fill(status, errors === 0 ? "The table has no faults" : count(errors, "fault"), rest > 0 && `, ${count(rest, "note")}`, ".");
        status.className = errors === 0 ? "check-status same" : "check-status different";
        fill(
            list,
            ...diagnostics.slice(0, 30).map((it) =>
                h(
                    "li",
                    { class: it.severity },
                    it.file === EDIT
                        ? h("button", { type: "button", class: "small", onclick: () => editor?.goTo(it.line) }, `line ${it.line}`)
                        : h("span", { class: "quiet" }, `${it.file}:${it.line}`),
                    ` ${it.message}`,
                    it.help && h("span", { class: "quiet" }, `; ${it.help}`),
                ),
            ),
        );
    }

    async function look(): Promise<void> {
        searching?.abort();
        searching = new AbortController();
        const { signal } = searching;
        const bar = h("progress", { "aria-label": "How far the search is" });
        fill(effect, bar, button("Stop", () => searching?.abort(), { class: "small", id: "stop" }));
        const before = performance.now();
        try {
            const found = await search([{ name: app.place.a.name }, edited()], signal, (done, all) => {
                bar.max = all;
                bar.value = done;
            });
            if (signal.aborted) return;
            element.dataset["searched"] = String(Math.round(performance.now() - before));
            fill(effect, ...said(found));
        } catch (error) {
            fill(effect, signal.aborted ? h("p", { class: "quiet" }, "Stopped.") : failure(error));
        }
    }

    function said(found: Effect): Node[] {
        const items = found.examples.map((it) =>
            h(
                "li",
                {},
                h(
                    "button",
                    { type: "button", class: "example", onclick: () => app.go({ input: it.input, start: it.start }) },
                    h("code", {}, ...visible(it.input.slice(0, 80))),
                    h("span", {}, it.sentence),
                ),
            ),
        );
        return [h("p", { class: "effect-verdict" }, found.verdict), h("ul", {}, ...items)];
    }

    async function save(kind: "rust" | "test", ending: string): Promise<void> {
        const { input, start } = app.place;
        try {
            const { text } = await ask(kind, { table: edited(), ...(kind === "test" && { input, start }) });
            download(fileName(ending), text);
        } catch (error) {
            fill(list, failure(error));
        }
    }

    return {
        element,
        show() {
            const { a, b } = app.place;
            app.showInput(inputHere);
            select.value = a.name;
            if (base !== a.name || (editor && b.text !== undefined && b.name === a.name && b.text !== editor.text)) void begin(a.name);
            outcome.show();
        },
    };
}
