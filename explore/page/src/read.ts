// A table to read: its states or insertion modes, its errors and references, and the words that it is written in.

import { ask, type Contents, type Rules, type Word } from "./api.js";
import { App, failure, tableName, type ViewParts, visible } from "./app.js";
import { button, type Child, fill, h, settled } from "./dom.js";
import { section } from "./trace.js";
import { rulesIn, yaml } from "./yaml.js";

/** More results of one kind than this are not shown. */
const MOST = 40;

export function readView(app: App): ViewParts {
    const select = app.select("Table", "read-table", (name) => app.go({ a: { name }, at: "" }));
    const search = h("input", { type: "search", id: "search", placeholder: "Search (/)", "aria-label": "Search states, errors, references and words", oninput: () => found() });
    const list = h("div", { class: "index" });
    const page = h("div", { class: "results" });
    const element = h(
        "div",
        { class: "view read" },
        h("aside", { "aria-label": "Table and search" }, h("div", { class: "tables" }, h("label", { for: "read-table" }, "Table"), select), search, list),
        h("section", { class: "outcome", "aria-label": "What is read" }, page),
    );
    let contents: Contents | undefined;
    let words: Word[] = [];
    let asked = "";
    let running: AbortController | undefined;

    async function run(): Promise<void> {
        running?.abort();
        running = new AbortController();
        const { signal } = running;
        try {
            const [read, known] = await Promise.all([ask("read", { table: app.place.a }, signal), words.length ? undefined : ask("words", {}, signal)]);
            if (signal.aborted) return;
            contents = read.contents;
            words = known?.words ?? words;
            found();
            open();
        } catch (error) {
            if (signal.aborted) return;
            contents = undefined;
            fill(list);
            fill(page, failure(error));
        }
        page.classList.remove("waiting");
    }
    const runSoon = settled(30, () => void run());

    function item(name: string, child: Child = null): HTMLElement {
        return h("li", {}, h("button", { type: "button", class: "item", "aria-current": app.place.at === name ? "page" : undefined, onclick: () => app.go({ at: name }) }, name, child));
    }

    function group(title: string, rows: HTMLElement[], all: number): Child {
        if (rows.length === 0) return null;
        return h("div", {}, h("h2", {}, title, h("span", { class: "quiet" }, ` ${all}`)), h("ul", {}, ...rows));
    }

    function found(): void {
        if (!contents) return;
        const wanted = search.value.trim().toLowerCase();
        const has = (...texts: string[]) => texts.some((it) => it.toLowerCase().includes(wanted));
        const rules = contents.rules.filter((it) => has(it.name, it.section));
        const groups: Child[] = [group(plural(contents.called), rules.map((it) => item(it.name)), rules.length)];
        const errors = contents.errors.filter((it) => has(it.code, it.sentence));
        groups.push(group("Parse errors", errors.slice(0, wanted ? MOST : 100).map((it) => item(it.code)), errors.length));
        if (wanted) {
            const references = contents.references.filter(([name, meant]) => has(`&${name}`) || meant === search.value.trim());
            groups.push(group("Character references", references.slice(0, MOST).map(([name, meant]) => item(`&${name}`, h("span", { class: "quiet" }, "  ", ...visible(meant)))), references.length));
            const phrases = words.filter((it) => has(it.name, it.about));
            groups.push(group("Words of tables", phrases.slice(0, MOST).map((it) => item(it.name)), phrases.length));
        }
        fill(list, ...groups);
        if (groups.every((it) => it === null)) fill(list, h("p", { class: "quiet" }, "Nothing has this in its name."));
    }

    function open(): void {
        if (!contents) return;
        const { at } = app.place;
        for (const it of list.querySelectorAll("[aria-current]")) it.removeAttribute("aria-current");
        for (const it of list.querySelectorAll("button.item")) if (it.firstChild?.textContent === at) it.setAttribute("aria-current", "page");
        const rules = contents.rules.find((it) => it.name === at);
        const error = contents.errors.find((it) => it.code === at);
        const reference = contents.references.find(([name]) => `&${name}` === at);
        const meant = words.filter((it) => it.name === at);
        if (rules) fill(page, ...ofRules(rules, contents));
        else if (error) fill(page, h("h2", {}, error.code), h("p", {}, error.sentence || "The table does not explain it."), error.link && h("p", {}, h("a", { href: error.link, rel: "noreferrer", target: "_blank" }, "In the text of the standard")), reportedBy(error.code, contents));
        else if (reference) fill(page, h("h2", {}, at), h("p", {}, "stands for ", h("code", {}, ...visible(reference[1])), ` (${[...reference[1]].map((c) => `U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`).join(", ")})`));
        else if (meant.length > 0) fill(page, ...meant.flatMap(ofWord));
        else fill(page, ...ofTable(contents));
    }

    function ofTable(read: Contents): Child[] {
        return [
            h("h2", {}, read.title),
            h("p", {}, `${read.rules.length} ${plural(read.called).toLowerCase()}, ${read.rules.reduce((sum, it) => sum + it.arms.length, 0)} arms`, read.tokenizer ? `; its tokenizer is ${read.tokenizer}.` : "."),
            read.sources.length > 1 && h("p", {}, `It extends ${read.sources.slice(1).map(([file]) => file).join(", which extends ")}.`),
            ...read.sources.map(([file, text]) =>
                h("details", {}, h("summary", {}, file, h("span", { class: "quiet" }, ` ${text.split("\n").length} lines`)), yaml({ file, lines: text.split("\n"), line: -1, end: -1, top: 0 }, Infinity)),
            ),
        ];
    }

    function ofRules(rules: Rules, read: Contents): Child[] {
        const link = (name: string) => {
            const known = read.rules.some((it) => it.name === name);
            return known ? h("button", { type: "button", class: "small", onclick: () => app.go({ at: name }) }, name) : h("span", {}, name);
        };
        const sources = read.rules.filter((it) => it.leadsTo.includes(rules.name) && it !== rules).map((it) => it.name);
        const drawn = h("div", { class: "diagram", tabindex: 0 });
        void import("./diagram.js").then(({ diagram }) => fill(drawn, diagram(read.rules, rules.name, undefined, (at) => app.go({ at }))));
        const rust = h("div", {});
        return [
            h("h2", { class: "title" }, rules.name, rules.section && h("span", { class: "quiet" }, " ", section(rules.section, rules.address))),
            rules.entries.length > 0 && h("p", {}, `Starts: ${rules.entries.join(", ")}`),
            h("h2", {}, "What it does"),
            h(
                "ul",
                { class: "arms" },
                ...rules.arms.map(([on, lines]) => h("li", {}, h("code", { class: lines.length ? "on" : "" }, ...visible(on)), lines.length > 0 && h("pre", { class: "lines" }, lines.join("\n")))),
            ),
            h("h2", {}, "Leads to"),
            h("p", { class: "chips" }, ...(rules.leadsTo.length ? rules.leadsTo.map(link) : ["nothing"])),
            h("h2", {}, "Comes from"),
            h("p", { class: "chips" }, ...(sources.length ? sources.map(link) : ["nowhere: the outside starts in it"])),
            drawn,
            ...rulesIn(read.sources, rules.name).flatMap((it) => [
                h("h2", {}, `In ${it.file}, line ${it.top + 1}`),
                yaml({ ...it, line: it.top, end: it.top }, it.end - it.top - 1),
            ]),
            read.tokenizer === null && h("div", { class: "heading" }, h("h2", {}, "Generated Rust"), button("Show", () => void showRust(rules, rust), { class: "small", id: "show-rust" })),
            rust,
        ];
    }

    async function showRust(rules: Rules, into: HTMLElement): Promise<void> {
        fill(into, h("p", { class: "quiet" }, "Generating…"));
        try {
            const { text } = await ask("rust", { table: app.place.a });
            const name = rules.name.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("_");
            const lines = text.split("\n");
            const start = lines.findIndex((it) => new RegExp(`^\\s*fn ${name}(_|<|\\()`).test(it) && (it.includes(`fn ${name}<`) || it.includes(`fn ${name}(`)));
            if (start < 0) return fill(into, h("p", { class: "quiet" }, "It has no function by itself: others do its work."));
            const depth = /^\s*/.exec(lines[start]!)![0];
            const end = lines.findIndex((it, index) => index > start && it === `${depth}}`);
            fill(into, h("pre", { class: "rust", tabindex: 0, "aria-label": "Generated Rust" }, lines.slice(start, end + 1).map((it) => it.slice(depth.length)).join("\n")));
        } catch (error) {
            fill(into, failure(error));
        }
    }

    function reportedBy(code: string, read: Contents): Child {
        const all = read.rules.filter((it) => it.arms.some(([on]) => new RegExp(`error ${code}(?![-\\w])`).test(on)));
        return h("div", {}, h("h2", {}, "Reported in"), h("p", { class: "chips" }, ...(all.length ? all.map((it) => h("button", { type: "button", class: "small", onclick: () => app.go({ at: it.name }) }, it.name)) : ["the input stream"])));
    }

    return {
        element,
        show() {
            select.value = app.place.a.name;
            const key = JSON.stringify(app.place.a);
            if (key !== asked) {
                asked = key;
                page.classList.add("waiting");
                runSoon();
            } else open();
            document.title = `${app.place.at || tableName(app.place.a)} – Speclex explorer`;
        },
        key(event) {
            if (event.key !== "/") return false;
            search.focus();
            return true;
        },
    };
}

function ofWord(word: Word): Child[] {
    return [h("h2", {}, word.name), h("p", { class: "quiet" }, word.kind), h("p", {}, word.about), word.example && word.example !== word.name && h("p", {}, "For example: ", h("code", {}, word.example))];
}

function plural(called: string): string {
    return `${called[0]!.toUpperCase()}${called.slice(1)}s`;
}
