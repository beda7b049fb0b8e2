// The editor of tables: YAML with the checker’s diagnostics, completion and explanations. Loaded when it is needed.

import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Fault, Word } from "./api.js";

export interface Editor {
    element: HTMLElement;
    readonly text: string;
    set(text: string): void;
    /** Shows what is wrong, in place. */
    faults(faults: Fault[]): void;
    focus(): void;
    /** Goes to a line, from 1. */
    goTo(line: number): void;
}

const THEME = EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "12.5px" },
    ".cm-scroller": { font: "var(--code)", overflow: "auto" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused": { outline: "2px solid var(--accent)" },
    ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent-paper) 55%, transparent)" },
    ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--accent-paper)" },
    ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", maxWidth: "480px" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-paper)", color: "var(--ink)" },
    ".cm-completionInfo": { padding: "4px 8px" },
    ".word": { padding: "6px 10px" },
    ".word p": { margin: "0" },
    ".word .kind": { color: "var(--quiet)" },
    ".cm-panels, .cm-panel input, .cm-panel button": { backgroundColor: "var(--raised)", color: "var(--ink)", backgroundImage: "none" },
});

const COLOURS = HighlightStyle.define([
    { tag: tags.definition(tags.propertyName), color: "var(--accent)" },
    { tag: tags.propertyName, color: "var(--accent)" },
    { tag: [tags.comment, tags.lineComment], color: "var(--quiet)" },
    { tag: tags.string, color: "var(--b)" },
]);

export function editor(words: Word[], names: () => string[], changed: (text: string) => void): Editor {
    const element = document.createElement("div");
    element.className = "editor";
    // The styles of the editor are those of a shadow root: the policy refuses style elements.
    const root = element.attachShadow({ mode: "open" });
    let isSetting = false;

    function complete(context: CompletionContext): CompletionResult | null {
        const before = context.matchBefore(/[A-Za-z][\w ()-]*$/);
        if (!before || (before.from === before.to && !context.explicit)) return null;
        const known = words
            .filter((it) => !it.kind.startsWith("code of"))
            .map((it) => ({ label: it.name, type: it.kind.includes("key") ? "property" : "keyword", detail: it.kind, info: it.about }));
        const states = names().map((name) => ({ label: name, type: "variable", detail: "name" }));
        return { from: before.from, options: [...known, ...states], validFor: /^[\w ()-]*$/ };
    }

    const view = new EditorView({
        parent: root,
        root,
        state: state(""),
    });

    function state(text: string): EditorState {
        return EditorState.create({
            doc: text,
            extensions: [
                basicSetup,
                yaml(),
                THEME,
                syntaxHighlighting(COLOURS),
                lintGutter(),
                autocompletion({ override: [complete] }),
                hoverTooltip((it, at) => explained(it, at, words)),
                EditorView.lineWrapping,
                EditorView.contentAttributes.of({ "aria-label": "The table’s YAML" }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged && !isSetting) changed(update.state.doc.toString());
                }),
            ],
        });
    }

    return {
        element,
        get text() {
            return view.state.doc.toString();
        },
        set(text) {
            isSetting = true;
            view.setState(state(text));
            isSetting = false;
        },
        faults(faults) {
            const { doc } = view.state;
            const diagnostics = faults.map((it): Diagnostic => {
                const line = doc.line(Math.min(Math.max(it.line, 1), doc.lines));
                // Columns count characters.
                const index = [...line.text].slice(0, it.column - 1).join("").length;
                const length = [...line.text.slice(index)].slice(0, it.length).join("").length;
                const from = Math.min(line.from + index, line.to);
                return {
                    from,
                    to: Math.min(from + Math.max(length, 1), line.to),
                    severity: it.severity === "error" ? "error" : it.severity === "warning" ? "warning" : "info",
                    message: [it.message, it.label, it.help].filter(Boolean).join("\n"),
                    source: it.code,
                };
            });
            diagnostics.sort((one, other) => one.from - other.from);
            view.dispatch(setDiagnostics(view.state, diagnostics));
        },
        focus() {
            view.focus();
        },
        goTo(number) {
            const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
            view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
            view.focus();
        },
    };
}

/** The word of the language under the pointer. */
function explained(view: EditorView, at: number, words: Word[]): Tooltip | null {
    const line = view.state.doc.lineAt(at);
    const cuts = [...line.text.matchAll(/[[\],:]\s|^\s*- |\]|\[/g)];
    const column = at - line.from;
    const from = Math.max(line.text.search(/\S/), ...cuts.filter((it) => it.index + it[0].length <= column).map((it) => it.index + it[0].length));
    const to = Math.min(line.text.length, ...cuts.filter((it) => it.index >= column).map((it) => it.index));
    const said = line.text.slice(from, to).replace(/^(if|otherwise if|while) /, "").trim();
    const word = said && wordOf(said, words);
    if (!word) return null;
    return {
        pos: line.from + from,
        end: line.from + to,
        create() {
            const dom = document.createElement("div");
            dom.className = "word";
            for (const [kind, text] of [["", word.name], ["kind", word.kind], ["", word.about]] as const) {
                const part = document.createElement("p");
                part.className = kind;
                part.textContent = text;
                dom.append(part);
            }
            return { dom };
        },
    };
}

/** The word with the fewest open parts that a text can be. */
function wordOf(said: string, words: Word[]): Word | undefined {
    const fits = words.filter((it) => {
        const parts = it.name.split(/\b[A-Z][A-Z]+\b/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        return it.name !== it.name.toUpperCase() && new RegExp(`^${parts.join(".+?")}$`).test(said);
    });
    return fits.sort((one, other) => other.name.replace(/[A-Z]{2,}/g, "").length - one.name.replace(/[A-Z]{2,}/g, "").length)[0];
}
