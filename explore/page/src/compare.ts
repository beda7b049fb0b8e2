// Two tables and what they make of one input.

import { ask, type Comparable, type Example, type Outcome, type Table } from "./api.js";
import { type Aligned, aligned } from "./align.js";
import { App, failure, kindClass, overlay, tableName, type ViewParts, visible } from "./app.js";
import { browserTree } from "./browser.js";
import { button, type Child, fill, h, settled } from "./dom.js";
import { Offsets } from "./place.js";

/** More rows than this are not shown. */
const ROWS = 1500;

interface Cell {
    key: string;
    place: string;
    text: string;
    kind: string;
}

/** What two tables make of the input. */
export interface OutcomePart {
    element: HTMLElement;
    /** Shows it for the place, if that has changed. */
    show(): void;
}

export function outcomePart(app: App, tables: () => [Table, Table]): OutcomePart {
    const results = h("div", { class: "results" });
    const verdict = h("p", { class: "verdict", role: "status" });
    let browser = false;
    let running: AbortController | undefined;
    let last = "";

    async function run(): Promise<void> {
        running?.abort();
        running = new AbortController();
        const { signal } = running;
        const { input, start } = app.place;
        const [a, b] = tables();
        try {
            const { outcomes } = await ask("compare", { tables: [a, b], input, start }, signal);
            const plain = browser ? await ask("compare", { tables: [a, b], input, start: { scripting: "disabled" } }, signal) : undefined;
            if (signal.aborted) return;
            render(outcomes as [Outcome, Outcome], plain?.outcomes);
        } catch (error) {
            if (signal.aborted) return;
            fill(verdict, "There is no answer.");
            verdict.className = "verdict different";
            fill(results, failure(error));
        }
        results.classList.remove("waiting");
    }
    const runSoon = settled(90, () => void run());

    function render(outcomes: [Outcome, Outcome], plain: Outcome[] | undefined): void {
        const offsets = new Offsets(app.place.input);
        const [tokens, errors] = [
            aligned(cellsOfTokens(outcomes[0], offsets), cellsOfTokens(outcomes[1], offsets), (it) => it.key),
            aligned(cellsOfErrors(outcomes[0]), cellsOfErrors(outcomes[1]), (it) => it.key),
        ];
        const trees = outcomes.every((it) => it.tree !== null)
            ? aligned(cellsOfTree(outcomes[0].tree!), cellsOfTree(outcomes[1].tree!), (it) => it.key)
            : undefined;
        say(tokens, errors, trees, outcomes, offsets);
        fill(
            results,
            h("h2", {}, "The input, as each reads it"),
            h(
                "div",
                { class: "sides" },
                ...outcomes.map((outcome, side) => {
                    const pieces = outcome.tokens.map((it) => ({ ...it, title: it.text }));
                    return h("div", {}, h("h3", {}, sideName(side), ` ${outcome.table}`), overlay(offsets, pieces, outcome.errors));
                }),
            ),
            legend(outcomes),
            h("h2", {}, "Tokens"),
            table(tokens, tables(), "tokens", "No tokens."),
            h("h2", {}, "Parse errors"),
            table(errors, tables(), "errors", "No parse errors."),
            h(
                "div",
                { class: "heading" },
                h("h2", {}, "Tree"),
                button(browser ? "Without this browser" : "This browser", () => {
                    browser = !browser;
                    results.classList.add("waiting");
                    void run();
                }, { id: "this-browser", "aria-pressed": String(browser), title: "The tree that your browser makes of the input (w)" }),
            ),
            trees ? table(trees, tables(), "tree", "No nodes.") : h("div", { class: "sides" }, ...outcomes.map((it, side) => oneTree(it, side))),
            plain && browserPart(plain),
        );
    }

    function say(
        tokens: Aligned<Cell>[],
        errors: Aligned<Cell>[],
        trees: Aligned<Cell>[] | undefined,
        outcomes: [Outcome, Outcome],
        offsets: Offsets,
    ): void {
        const differs = (it: Aligned<Cell>) => it.a?.key !== it.b?.key;
        const found = tokens.find(differs) ?? errors.find(differs) ?? trees?.find(differs);
        const bytes = new TextEncoder().encode(offsets.text).length;
        if (!found) {
            const which = trees ? "the same tokens, parse errors and tree" : "the same tokens and parse errors";
            const same = outcomes[0].table === outcomes[1].table ? "A and B are the same table." : `A and B make ${which} of this input.`;
            fill(verdict, same, h("span", { class: "quiet" }, ` ${bytes} bytes read.`));
            verdict.className = "verdict same";
            return;
        }
        const what = tokens.includes(found) ? "token" : errors.includes(found) ? "parse error" : "node";
        const place = found.a?.place || found.b?.place;
        const side = (cell: Cell | undefined): Child => (cell ? h("code", {}, ...visible(cell.text)) : "nothing here");
        fill(
            verdict,
            h("strong", {}, "They differ."),
            ` First ${what}${place ? ` at ${place}` : ""}: `,
            sideName(0),
            " ",
            side(found.a),
            "; ",
            sideName(1),
            " ",
            side(found.b),
            ".",
        );
        verdict.className = "verdict different";
    }

    function browserPart(plain: Outcome[]): HTMLElement {
        if (app.place.start.context || app.place.start.content || app.place.start.statesAlone) {
            return h("p", { class: "note" }, "A browser shows only the trees of whole pages: press “Read it as a page” above.");
        }
        const tree = browserTree(app.place.input);
        const verdicts = plain.map((outcome, side): Child => {
            if (outcome.tree === null) return h("li", {}, sideName(side), ` ${outcome.table} has no tree.`);
            const same = outcome.tree === tree;
            return h("li", { class: same ? "same" : "different" }, sideName(side), ` ${outcome.table} builds ${same ? "the same tree" : "another tree"}.`);
        });
        const ours = plain[1]?.tree ?? plain[0]?.tree;
        const rows = ours == null ? undefined : aligned(cellsOfTree(ours), cellsOfTree(tree), (it) => it.key);
        const heads: [Child, Child] = [h("span", {}, sideName(plain[1]?.tree ? 1 : 0), ` ${plain[plain[1]?.tree ? 1 : 0]!.table}`), "This browser"];
        return h(
            "div",
            { id: "browser" },
            h("h2", {}, "This browser’s tree"),
            h("ul", { class: "verdicts" }, ...verdicts),
            h("p", { class: "quiet" }, "Without scripting on all sides, as for a document that is parsed and not shown."),
            rows ? table(rows, tables(), "browser-tree", "No nodes.", heads) : treeText(tree),
        );
    }

    return {
        element: h("section", { class: "outcome", "aria-label": "What A and B make of the input" }, verdict, results),
        show() {
            const { input, start } = app.place;
            const key = JSON.stringify([tables(), input, start]);
            if (key === last) return;
            last = key;
            results.classList.add("waiting");
            runSoon();
        },
    };
}

export function compareView(app: App): ViewParts {
    const outcome = outcomePart(app, () => [app.place.a, app.place.b]);
    const selects = {
        a: app.select("Table A", "table-a", (name) => app.go({ a: { name } })),
        b: app.select("Table B", "table-b", (name) => app.go({ b: { name } })),
    };
    const edited = h("span", { class: "quiet" });
    const examples = h("div", { class: "examples" });
    const inputHere = h("div", {});
    const element = h(
        "div",
        { class: "view compare" },
        h(
            "aside",
            { "aria-label": "Tables, input and examples" },
            h(
                "div",
                { class: "tables" },
                h("label", { for: "table-a" }, h("b", { class: "side-a" }, "A")),
                selects.a,
                h("label", { for: "table-b" }, h("b", { class: "side-b" }, "B")),
                selects.b,
                button("⇅", () => app.go({ a: app.place.b, b: app.place.a }), { class: "swap", title: "Exchange A and B (x)", "aria-label": "Exchange A and B" }),
            ),
            edited,
            inputHere,
            examples,
        ),
        outcome.element,
    );
    let shownExamples = "";

    function showExamples(): void {
        const { a, b } = app.place;
        const key = `${a.name} ${b.name}`;
        if (key === shownExamples) return;
        shownExamples = key;
        const all = app.known.comparisons;
        const mine = all.filter((it) => it.tables.includes(a.name) && it.tables.includes(b.name));
        const rest = all.filter((it) => !mine.includes(it));
        fill(
            examples,
            h("h2", {}, "Examples"),
            ...mine.map((it) => list(it, true)),
            ...rest.map((it) => list(it, false)),
        );
    }

    function list(comparison: Comparable, open: boolean): HTMLElement {
        const { tables } = comparison;
        const item = (example: Example) =>
            h(
                "li",
                {},
                h(
                    "button",
                    {
                        type: "button",
                        class: "example",
                        onclick: () => app.go({ a: { name: tables[0] }, b: { name: tables[1] }, input: example.input, start: example.start }),
                    },
                    h("code", {}, ...visible(example.input.slice(0, 80))),
                    h("span", {}, example.sentence),
                ),
            );
        const items = h("ul", {});
        const details = h(
            "details",
            {
                ontoggle: () => {
                    if (details.open && !items.firstChild) fill(items, ...comparison.examples.map(item));
                },
            },
            h("summary", {}, `${tables[0]} → ${tables[1]} `, h("span", { class: "quiet" }, `${comparison.examples.length}`)),
            items,
        );
        if (open) {
            details.open = true;
            fill(items, ...comparison.examples.map(item));
        }
        return details;
    }

    return {
        element,
        show() {
            const { a, b } = app.place;
            app.showInput(inputHere);
            selects.a.value = a.name;
            selects.b.value = b.name;
            const edits = [a, b].filter((it) => it.text !== undefined);
            fill(edited, edits.length > 0 && `With your edit: ${edits.map(tableName).join("; ")}.`);
            showExamples();
            outcome.show();
        },
        key(event) {
            if (event.key === "x") app.go({ a: app.place.b, b: app.place.a });
            else if (event.key === "w") document.getElementById("this-browser")?.click();
            else return false;
            return true;
        },
    };
}

function sideName(side: number): HTMLElement {
    return h("b", { class: side === 0 ? "side-a" : "side-b" }, side === 0 ? "A" : "B");
}

function cellsOfTokens(outcome: Outcome, offsets: Offsets): Cell[] {
    return outcome.tokens.map((it) => ({
        key: `${it.start} ${it.end} ${it.text}`,
        place: offsets.at(it.start),
        text: it.text,
        kind: kindClass(it.kind),
    }));
}

function cellsOfErrors(outcome: Outcome): Cell[] {
    return outcome.errors.map((it) => {
        const [place, ...rest] = it.text.split(" ");
        return { key: it.text, place: place ?? "", text: rest.join(" "), kind: "error" };
    });
}

function cellsOfTree(tree: string): Cell[] {
    const lines = tree.replace(/\n$/, "").split("\n");
    return lines.map((line) => ({ key: line, place: "", text: line.replace(/^\| /, ""), kind: "node" }));
}

/** Rows side by side; the first one that differs is marked. */
function table(
    rows: Aligned<Cell>[],
    [a, b]: [Table, Table],
    name: string,
    none: string,
    heads: [Child, Child] = [
        h("span", {}, sideName(0), ` ${tableName(a)}`),
        h("span", {}, sideName(1), ` ${tableName(b)}`),
    ],
): HTMLElement {
    if (rows.length === 0) return h("p", { class: "quiet" }, none);
    const cell = (it: Cell | undefined, side: string) =>
        h(
            "td",
            { class: it ? `cell ${it.kind}` : "cell nothing", "data-side": side },
            it?.place && h("span", { class: "place" }, it.place),
            it && h("code", {}, ...visible(it.text)),
        );
    let first = true;
    const body = rows.slice(0, ROWS).map((row) => {
        const same = row.a?.key === row.b?.key;
        const isFirst = !same && first;
        first &&= same;
        return h(
            "tr",
            { class: same ? "same" : isFirst ? "differs first" : "differs" },
            cell(row.a, "A"),
            cell(row.b, "B"),
        );
    });
    return h(
        "table",
        { class: `aligned ${name}` },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, heads[0]), h("th", { scope: "col" }, heads[1]))),
        h("tbody", {}, ...body),
        rows.length > ROWS && h("tfoot", {}, h("tr", {}, h("td", { colspan: 2, class: "quiet" }, `${rows.length - ROWS} more rows are not shown.`))),
    );
}

function oneTree(outcome: Outcome, side: number): HTMLElement {
    return h(
        "div",
        {},
        h("h3", {}, sideName(side), ` ${outcome.tree === null ? outcome.table : outcome.builtBy}`),
        outcome.tree === null
            ? h("p", { class: "quiet" }, outcome.builtBy)
            : treeText(outcome.tree),
    );
}

function treeText(tree: string): HTMLElement {
    const lines = cellsOfTree(tree).flatMap((it): Child[] => [...visible(it.text), "\n"]);
    return h("pre", { class: "tree", tabindex: 0 }, ...lines);
}

function legend(outcomes: Outcome[]): HTMLElement {
    const kinds = new Set(outcomes.flatMap((it) => it.tokens.map((token) => token.kind)));
    return h(
        "p",
        { class: "legend quiet" },
        ...[...kinds].map((kind) => h("span", { class: `piece ${kindClass(kind)}` }, kind)),
        outcomes.some((it) => it.errors.length > 0) && h("span", {}, h("span", { class: "error-mark" }), " parse error"),
    );
}
