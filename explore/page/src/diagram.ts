// The rules around one: what leads to it, and where it leads. Loaded when it is needed.

import { Graph, layout } from "@dagrejs/dagre";
import type { Rules } from "./api.js";

const SVG = "http://www.w3.org/2000/svg";
/** More neighbours than this are not drawn. */
const MOST = 8;

function s(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
}

export function diagram(rules: Rules[], now: string, before: string | undefined, open: (name: string) => void): SVGElement {
    const graph = new Graph();
    graph.setGraph({ rankdir: "LR", nodesep: 8, ranksep: 46, marginx: 6, marginy: 6 });
    graph.setDefaultEdgeLabel(() => ({}));
    const leads = (from: string) => rules.find((it) => it.name === from)?.leadsTo ?? [];
    const after = leads(now).filter((it) => it !== now);
    const sources = rules.filter((it) => it.leadsTo.includes(now) && it.name !== now).map((it) => it.name);
    // The one that the trace comes from is drawn in any case.
    sources.sort((one, other) => Number(other === before) - Number(one === before));
    const names = [...new Set([now, ...after.slice(0, MOST), ...sources.slice(0, MOST)])];
    for (const name of names) graph.setNode(name, { width: name.length * 6.7 + 22, height: 24 });
    for (const name of after.slice(0, MOST)) graph.setEdge(now, name);
    for (const name of sources.slice(0, MOST)) if (!after.slice(0, MOST).includes(name)) graph.setEdge(name, now);
    layout(graph);
    const { width = 10, height = 10 } = graph.graph();
    const picture = s(
        "svg",
        { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `What leads to ${now}, and where it leads` },
        s("defs", {}, s("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" }, s("path", { d: "M0 0 8 4 0 8z", class: "arrow" }))),
    );
    for (const edge of graph.edges()) {
        const points = graph.edge(edge).points as { x: number; y: number }[];
        const path = points.map((it, index) => `${index ? "L" : "M"}${it.x.toFixed(1)} ${it.y.toFixed(1)}`).join("");
        const back = after.includes(edge.w) && sources.includes(edge.w) ? { "marker-start": "url(#arrow)" } : {};
        picture.append(s("path", { d: path, class: edge.v === before && edge.w === now ? "edge taken" : "edge", "marker-end": "url(#arrow)", ...back }));
    }
    for (const name of names) {
        const { x, y, width: wide, height: high } = graph.node(name);
        const group = s(
            "g",
            { class: name === now ? "node now" : name === before ? "node before" : "node", role: "link", tabindex: 0, "aria-label": name },
            s("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 6 }),
            s("text", { x, y: y + 4, "text-anchor": "middle" }, name),
        );
        group.addEventListener("click", () => open(name));
        group.addEventListener("keydown", (event) => {
            if ((event as KeyboardEvent).key === "Enter") open(name);
        });
        picture.append(group);
    }
    const hidden = Math.max(after.length - MOST, 0) + Math.max(sources.length - MOST, 0);
    if (hidden > 0) picture.append(s("text", { x: width - 8, y: height - 6, "text-anchor": "end", class: "quiet" }, `and ${hidden} more`));
    return picture;
}
