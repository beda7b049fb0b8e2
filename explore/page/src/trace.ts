// A table at work: one step after the other.

import { ask, type Contents, type StepRow, type Trace } from "./api.js";
import { App, failure, overlay, tableName, type ViewParts, visible } from "./app.js";
import { button, type Child, fill, h, settled } from "./dom.js";
import { Offsets } from "./place.js";
import { armIn, yaml } from "./yaml.js";

export function traceView(app: App): ViewParts {
    const select = app.select("Table", "trace-table", (name) => app.go({ a: { name }, step: 0 }));
    const inputHere = h("div", {});
    const edited = h("span", { class: "quiet" });
    const slider = h("input", { type: "range", id: "step", min: 0, value: 0, "aria-label": "Step", oninput: () => app.go({ step: Number(slider.value) }) });
    const count = h("output", { for: "step", class: "count" });
    const move = (by: number) => app.go({ step: Math.min(Math.max(app.place.step + by, 0), last()) });
    const last = () => Math.max((traced?.steps.length ?? 1) - 1, 0);
    const controls = h(
        "div",
        { class: "controls" },
        button("|◀", () => app.go({ step: 0 }), { "aria-label": "First step", title: "First step (Home)" }),
        button("◀", () => move(-1), { "aria-label": "Step back", title: "Step back (←)" }),
        slider,
        button("▶", () => move(1), { "aria-label": "Step on", title: "Step on (→)" }),
        button("▶|", () => app.go({ step: last() }), { "aria-label": "Last step", title: "Last step (End)" }),
        count,
    );
    const where = h("div", { class: "where" });
    const what = h("div", { class: "what" });
    const text = h("div", { class: "text" });
    const drawn = h("div", { class: "diagram", tabindex: 0 });
    const steps = h("ol", { class: "steps", "aria-label": "Steps" });
    const results = h("div", { class: "results" }, where, h("div", { class: "traced" }, what, text), drawn);
    const element = h(
        "div",
        { class: "view trace" },
        h("aside", { "aria-label": "Table, input and steps" }, h("div", { class: "tables" }, h("label", { for: "trace-table" }, "Table"), select), edited, inputHere, h("h2", {}, "Steps"), steps),
        h("section", { class: "outcome", "aria-label": "The step" }, controls, results),
    );
    let traced: Trace | undefined;
    let contents: Contents | undefined;
    let asked = "";
    let running: AbortController | undefined;

    async function run(): Promise<void> {
        running?.abort();
        running = new AbortController();
        const { signal } = running;
        const { a, input, start } = app.place;
        try {
            const [trace, read] = await Promise.all([ask("trace", { table: a, input, start }, signal), ask("read", { table: a }, signal)]);
            if (signal.aborted) return;
            [traced, contents] = [trace.trace, read.contents];
            list();
            step();
        } catch (error) {
            if (signal.aborted) return;
            [traced, contents] = [undefined, undefined];
            fill(steps);
            fill(where);
            fill(what, failure(error));
            fill(text);
            fill(drawn);
        }
        results.classList.remove("waiting");
    }
    const runSoon = settled(90, () => void run());

    function list(): void {
        const rows = traced!.steps.map((it, index) => {
            const arm = it.arms.at(-1);
            const name = traced!.isTree ? it.read : (arm?.of ?? "");
            return h(
                "li",
                {},
                h(
                    "button",
                    { type: "button", tabindex: -1, onclick: () => app.go({ step: index }) },
                    h("span", { class: "number" }, index + 1),
                    h("span", {}, ...visible(name)),
                    !traced!.isTree && h("code", {}, ...visible(it.read)),
                    it.errors.length > 0 && h("span", { class: "error-mark" }),
                ),
            );
        });
        fill(steps, ...rows, traced!.isCut && h("li", { class: "quiet" }, "More steps are not shown."));
    }

    function step(): void {
        if (!traced || !contents) return;
        const index = Math.min(app.place.step, last());
        const row = traced.steps[index];
        slider.max = String(last());
        slider.value = String(index);
        fill(count, `step ${index + 1} of ${traced.steps.length}`);
        slider.setAttribute("aria-valuetext", `step ${index + 1} of ${traced.steps.length}`);
        for (const it of steps.querySelectorAll("[aria-current]")) it.removeAttribute("aria-current");
        const item = steps.children[index]?.firstElementChild;
        item?.setAttribute("aria-current", "step");
        if (item) steps.scrollTop += item.getBoundingClientRect().top - steps.getBoundingClientRect().top - steps.clientHeight / 2;
        if (!row) {
            fill(what, h("p", { class: "quiet" }, "There are no steps."));
            fill(where);
            fill(text);
            fill(drawn);
            return;
        }
        const offsets = new Offsets(app.place.input);
        const end = traced.steps.slice(index + 1).find((it) => it.offset > row.offset)?.offset ?? new TextEncoder().encode(app.place.input).length;
        const piece = { kind: "characters", start: row.offset, end, title: "what is read" };
        const errors = traced.steps.slice(0, index + 1).flatMap((it) => it.errors.map((error) => ({ offset: it.offset, text: error })));
        fill(where, overlay(offsets, [{ ...piece, start: 0, end: row.offset, title: "what has been read" }, piece], errors, 1));
        fill(what, ...details(row, values(index)));
        showText(row);
        void showDiagram(row);
    }

    /** All values after a step. */
    function values(index: number): Map<string, string> {
        const all = new Map<string, string>();
        for (const row of traced!.steps.slice(0, index + 1)) for (const [name, value] of row.changed) all.set(name, value);
        return all;
    }

    function details(row: StepRow, all: Map<string, string>): Child[] {
        const changed = new Set(row.changed.map(([name]) => name));
        return [
            h("h2", {}, traced!.isTree ? "Token" : "Reads"),
            h("p", {}, h("code", {}, ...visible(row.read)), h("span", { class: "quiet" }, ` at ${new Offsets(app.place.input).at(row.offset)}`)),
            row.states.length > 0 && h("p", { class: "quiet" }, `read in ${row.states.join(", ")}`),
            h("h2", {}, traced!.isTree ? `Arms that take it` : "State and arm"),
            ...row.arms.map((arm) => {
                const rules = contents!.rules.find((it) => it.name === arm.of);
                return h(
                    "div",
                    { class: "arm" },
                    h(
                        "p",
                        {},
                        h("a", { href: `#${new URLSearchParams({ view: "read", a: app.place.a.name, at: arm.of, input: app.place.input })}`, class: "of" }, arm.of),
                        rules?.section ? h("span", { class: "quiet" }, " ", section(rules.section, rules.address)) : null,
                        h("span", {}, " on "),
                        h("code", { class: "on" }, ...visible(arm.on)),
                    ),
                    arm.when.length > 0 && h("ul", { class: "when" }, ...arm.when.map((it) => h("li", {}, "if ", it))),
                    h("ol", { class: "does" }, ...arm.steps.map((it) => h("li", {}, ...visible(it)))),
                );
            }),
            row.out.length > 0 && h("h2", {}, traced!.isTree ? "Nodes" : "Tokens that come out"),
            row.out.length > 0 && h("ul", { class: "out" }, ...row.out.map((it) => h("li", {}, h("code", {}, ...visible(it))))),
            row.errors.length > 0 && h("h2", {}, "Parse errors"),
            row.errors.length > 0 && h("ul", { class: "out error" }, ...row.errors.map((it) => h("li", {}, h("code", {}, it)))),
            h("h2", {}, "Values after it"),
            all.size === 0
                ? h("p", { class: "quiet" }, "Nothing has been set yet.")
                : h(
                      "dl",
                      { class: "values" },
                      ...[...all].flatMap(([name, value]) => [
                          h("dt", {}, name),
                          h("dd", { class: changed.has(name) ? "changed" : "" }, h("code", {}, ...visible(value))),
                      ]),
                  ),
        ];
    }

    function showText(row: StepRow): void {
        const arm = row.arms.at(-1);
        const found = arm && armIn(contents!.sources, arm.of, arm.on);
        fill(
            text,
            h("h2", {}, found ? `In ${found.file}, line ${found.line + 1}` : "In the table"),
            found ? yaml(found) : h("p", { class: "quiet" }, "No line of the table says this by itself."),
        );
    }

    let drawing: Promise<typeof import("./diagram.js")> | undefined;
    async function showDiagram(row: StepRow): Promise<void> {
        drawing ??= import("./diagram.js");
        const { diagram } = await drawing;
        const now = row.arms.at(-1)?.of ?? "";
        const index = Math.min(app.place.step, last());
        const before = traced?.steps[index - 1]?.arms.at(-1)?.of;
        if (contents) fill(drawn, h("h2", {}, `Around this ${contents.called}`), diagram(contents.rules, now, before, (at) => app.go({ view: "read", at })));
    }

    return {
        element,
        show() {
            const { a, input, start } = app.place;
            app.showInput(inputHere);
            select.value = a.name;
            fill(edited, a.text !== undefined && `With your edit: ${tableName(a)}.`);
            const key = JSON.stringify([a, input, start]);
            if (key !== asked) {
                asked = key;
                results.classList.add("waiting");
                runSoon();
            } else step();
        },
        key(event) {
            const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
            const by = moves[event.key];
            if (by === undefined || event.target === slider) return false;
            move(by);
            return true;
        },
    };
}

/** A section of the text, with its address. */
export function section(number: string, address: string | null): HTMLElement {
    const name = `§ ${number}`;
    return address === null ? h("span", {}, name) : h("a", { href: address, rel: "noreferrer", target: "_blank" }, name);
}
