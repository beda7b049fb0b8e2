// Requests and answers, as `explore/src/api.rs` has them, and who answers them.

export interface Table {
    name: string;
    /** The text of an edit. */
    text?: string;
}

export interface Start {
    content?: string;
    lastStartTag?: string;
    answer?: boolean;
    questions?: string[];
    statesAlone?: boolean;
    context?: string;
    scripting?: string;
    shadowRoots?: boolean;
}

export interface Row {
    name: string;
    title: string;
    isTree: boolean;
    of: "own" | "shipped" | "example";
}

export interface Example {
    sentence: string;
    input: string;
    start: Start;
}

export interface Comparable {
    tables: [string, string];
    examples: Example[];
}

export interface TokenRow {
    kind: string;
    text: string;
    start: number;
    end: number;
}

export interface ErrorRow {
    code: string;
    text: string;
    offset: number;
}

export interface Outcome {
    table: string;
    title: string;
    tokens: TokenRow[];
    errors: ErrorRow[];
    tree: string | null;
    builtBy: string;
}

export interface Fault {
    severity: string;
    code: string;
    message: string;
    file: string;
    line: number;
    column: number;
    length: number;
    label: string;
    help: string;
}

export interface ArmRow {
    of: string;
    on: string;
    when: string[];
    steps: string[];
}

export interface StepRow {
    offset: number;
    read: string;
    states: string[];
    arms: ArmRow[];
    changed: [string, string][];
    out: string[];
    errors: string[];
}

export interface Trace {
    isTree: boolean;
    steps: StepRow[];
    isCut: boolean;
}

export interface Rules {
    name: string;
    section: string;
    address: string | null;
    entries: string[];
    arms: [string, string[]][];
    leadsTo: string[];
}

export interface ErrorCode {
    code: string;
    sentence: string;
    link: string | null;
}

export interface Contents {
    name: string;
    title: string;
    called: string;
    tokenizer: string | null;
    sources: [string, string][];
    rules: Rules[];
    errors: ErrorCode[];
    references: [string, string][];
}

/** A word of the table language. */
export interface Word {
    kind: string;
    name: string;
    example: string | null;
    about: string;
}

/** What a change does. */
export interface Effect {
    verdict: string;
    examples: Example[];
}

export interface Answers {
    start: { tables: Row[]; comparisons: Comparable[] };
    compare: { outcomes: Outcome[] };
    trace: { trace: Trace };
    read: { contents: Contents };
    rust: { text: string };
    words: { words: Word[] };
    source: { text: string };
    test: { text: string };
    check: { diagnostics: Fault[] };
}

/** Why there is no answer. */
export class Refused extends Error {
    constructor(
        message: string,
        readonly faults: Fault[] = [],
    ) {
        super(message);
    }
}

/** Where the answers are, in a copy of the page without a server. */
const FILES = document.querySelector<HTMLMetaElement>("meta[name=static]")?.content;

/** Whether there is no server. */
export const isStatic = FILES !== undefined;

/** The file of an answer: FNV-1a of the request, as `export.rs` has it. */
function file(request: string): string {
    let hash = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(request)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    return `${FILES}/${hash.toString(16).padStart(16, "0")}.json`;
}

async function fromFile(request: string): Promise<Response> {
    const response = await fetch(file(request));
    if (!response.ok) {
        throw new Refused("This copy of the page has no server, and so no answer to this. It has the examples; for all else run “speclex explore”.");
    }
    return response;
}

/** Sends a request. */
async function send(kind: string, request: Record<string, unknown>, signal?: AbortSignal): Promise<Response> {
    const body = JSON.stringify({ ask: kind, ...request });
    if (isStatic) return fromFile(body);
    let response: Response;
    try {
        response = await fetch("api", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body,
            ...(signal && { signal }),
        });
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Refused("The explorer’s server does not answer. Start it again with “speclex explore”; this page then goes on where it is.");
    }
    if (!response.ok) throw new Refused((await response.text()).trim());
    return response;
}

interface Said {
    answer: string;
    why: string;
    diagnostics: Fault[];
    done: number;
    all: number;
}

/** What the server says, if it is an answer. */
function answered<T>(answer: T & Said): T {
    if (answer.answer === "refused") throw new Refused(answer.why);
    if (answer.answer === "faults") throw new Refused("The table has faults.", answer.diagnostics);
    return answer;
}

/** Asks the server. */
export async function ask<K extends keyof Answers>(kind: K, request: Record<string, unknown>, signal?: AbortSignal): Promise<Answers[K]> {
    const response = await send(kind, request, signal);
    return answered<Answers[K]>(await response.json());
}

/** Asks for a search, which tells how far it is: so much of so much. */
export async function search(tables: [Table, Table], signal: AbortSignal, progress: (done: number, all: number) => void): Promise<Effect> {
    const response = await send("effect", { tables }, signal);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Refused("The search ended without an answer.");
        const lines = (rest + value).split("\n");
        rest = lines.pop()!;
        for (const line of lines.filter(Boolean)) {
            const said: Said & { effect: Effect } = JSON.parse(line);
            if (said.answer !== "progress") return answered(said).effect;
            progress(said.done, said.all);
        }
    }
}
