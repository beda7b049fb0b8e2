// Elements from code. Texts become text nodes, never markup.

export type Child = Node | string | number | null | undefined | false;

type Value = string | number | boolean | undefined | EventListener;

/** Makes an element: `on…` are listeners, all else attributes; `true` is an empty one, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    set(element, attributes);
    add(element, children);
    return element;
}

export function set(element: Element, attributes: Record<string, Value>): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value);
        else if (value === false || value === undefined) element.removeAttribute(name);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
}

export function add(element: Element, children: Child[]): void {
    for (const child of children) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
    }
}

/** Replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    add(element, children);
}

/** Calls a function once after calls have stopped for some milliseconds. */
export function settled(milliseconds: number, call: () => void): () => void {
    let timer = 0;
    return () => {
        clearTimeout(timer);
        timer = window.setTimeout(call, milliseconds);
    };
}

/** A button that says what it does. */
export function button(label: string, press: () => void, attributes: Record<string, Value> = {}): HTMLButtonElement {
    return h("button", { type: "button", onclick: () => press(), ...attributes }, label);
}

/** Saves a text as a file. */
export function download(name: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = h("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
