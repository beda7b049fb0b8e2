// The explorer: its frame, and the way between its views.

import { ask, isStatic } from "./api.js";
import { App, failure, type ViewParts } from "./app.js";
import { changeView } from "./change.js";
import { compareView } from "./compare.js";
import { button, fill, h } from "./dom.js";
import { type Place, read, type View, VIEWS } from "./place.js";
import { readView } from "./read.js";
import { traceView } from "./trace.js";

const NAMES: Record<View, string> = { compare: "Compare", trace: "Trace", read: "Read", change: "Change" };
const MAKERS: Record<View, (app: App) => ViewParts> = { compare: compareView, trace: traceView, read: readView, change: changeView };

const KEYS: [string, string][] = [
    ["1 2 3 4", "the views"],
    ["i", "write in the input"],
    ["Esc", "leave a field"],
    ["x", "exchange A and B"],
    ["w", "the tree of this browser"],
    ["← →", "a step of the trace back or on"],
    ["Home End", "the first and the last step"],
    ["/", "search in a table"],
    ["t", "light, dark or as the system"],
    ["l", "copy a link to what is shown"],
    ["?", "these keys"],
];

const FIRST: Place = {
    view: "compare",
    a: { name: "html-2026-06" },
    b: { name: "html-living" },
    input: "<!DOCTYPE html>\n<title>Notes</title>\n<p>One <?note this?> two</P>\n",
    start: {},
    step: 0,
    at: "",
};

const main = h("main", { id: "main" });
const said = h("p", { class: "said", role: "status" });
const tabs = h("nav", { "aria-label": "Views" });
const keys = h("dialog", { id: "keys", "aria-labelledby": "keys-title" });

function frame(): void {
    const themes = ["", "light", "dark"];
    const names: Record<string, string> = { "": "as the system", light: "light", dark: "dark" };
    const themeButton = button("◐", () => theme(true), { id: "theme", title: "Light, dark or as the system (t)", "aria-label": "Theme" });
    function theme(next: boolean): void {
        let now = stored("theme");
        if (next) now = themes[(themes.indexOf(now) + 1) % themes.length]!;
        if (!themes.includes(now)) now = "";
        store("theme", now);
        document.documentElement.dataset["theme"] = now;
        if (next) tell(`Theme: ${names[now]}`);
    }
    theme(false);
    fill(
        keys,
        h("h2", { id: "keys-title" }, "Keys"),
        h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
        h("p", {}, button("Close", () => keys.close()), " ", h("a", { href: "licences.txt" }, "Licences of the libraries in this page")),
    );
    document.body.append(
        h("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.tabIndex = -1; main.focus(); } }, "Skip to the content"),
        h(
            "header",
            {},
            h("h1", {}, "Speclex explorer"),
            tabs,
            h(
                "div",
                { class: "tools" },
                button("Copy link", () => void copy(), { id: "copy", title: "A link to what is shown (l)" }),
                themeButton,
                button("?", () => keys.showModal(), { title: "Keys (?)", "aria-label": "Keys" }),
            ),
        ),
        main,
        said,
        keys,
    );
}

function stored(name: string): string {
    try {
        return localStorage.getItem(name) ?? "";
    } catch {
        return "";
    }
}

function store(name: string, value: string): void {
    try {
        localStorage.setItem(name, value);
    } catch {
        // A browser that keeps nothing: the choice ends with the page.
    }
}

let quiet = 0;
function tell(text: string): void {
    fill(said, text);
    clearTimeout(quiet);
    quiet = window.setTimeout(() => fill(said), 2500);
}

let app: App;
const views = new Map<View, ViewParts>();

async function copy(): Promise<void> {
    const link = new URL(await app.link(), location.href).href;
    history.replaceState(null, "", link);
    try {
        await navigator.clipboard.writeText(link);
        tell("The link is copied.");
    } catch {
        tell("The link is in the address bar.");
    }
}

function show(): void {
    const { view } = app.place;
    let parts = views.get(view);
    if (!parts) {
        parts = MAKERS[view](app);
        views.set(view, parts);
    }
    if (main.firstChild !== parts.element) fill(main, parts.element);
    for (const link of tabs.children) set_current(link, link.getAttribute("data-view") === view);
    document.title = `${NAMES[view]} – Speclex explorer`;
    parts.show();
}

function set_current(link: Element, is: boolean): void {
    if (is) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
}

function go(change: Partial<Place>): void {
    app.place = { ...app.place, ...change };
    app.saved();
    show();
}

function pressed(event: KeyboardEvent): void {
    const target = event.target as Element;
    if (keys.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const writes = target.closest("textarea, select, input:not([type=checkbox]):not([type=range]), [contenteditable=true], .editor") !== null;
    if (event.key === "Escape" && writes) (target as HTMLElement).blur();
    if (writes) return;
    const view = VIEWS[Number(event.key) - 1];
    if (view) go({ view });
    else if (event.key === "i") app.box.focus();
    else if (event.key === "t") document.getElementById("theme")?.click();
    else if (event.key === "l") void copy();
    else if (event.key === "?") keys.showModal();
    else if (!views.get(app.place.view)?.key?.(event)) return;
    event.preventDefault();
}

async function start(): Promise<void> {
    frame();
    try {
        const known = await ask("start", {});
        app = new App(known, go);
        const names = new Set(known.tables.map((it) => it.name));
        const own = known.tables.find((it) => it.of === "own");
        const first = own && !own.isTree ? { ...FIRST, a: { name: own.name }, b: { name: own.name } } : FIRST;
        app.place = await read(location.hash, first, names);
        for (const view of VIEWS.filter((it) => !isStatic || it === "compare" || it === "read")) tabs.append(button(NAMES[view], () => go({ view }), { "data-view": view }));
        document.addEventListener("keydown", pressed);
        window.addEventListener("hashchange", () => {
            void read(location.hash, app.place, names).then((place) => {
                app.place = place;
                show();
            });
        });
        if (isStatic && !location.hash) {
            const { tables: [one, other], examples } = known.comparisons.find((it) => it.tables[1] === FIRST.b.name)!;
            app.place = { ...app.place, a: { name: one }, b: { name: other }, input: examples[0]!.input, start: examples[0]!.start };
        }
        show();
    } catch (error) {
        fill(main, failure(error));
    }
}

void start();
