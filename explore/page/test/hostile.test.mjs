// What wants to be markup, to run for ever or to come from elsewhere.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { request } from "node:http";
import { folder, goTo, hash, launch, open, serve, settled } from "./explorer.mjs";

const PAYLOADS = [
    "<script>hacked=1;alert(1)</script>",
    "<img src=x onerror=\"hacked=1;alert(1)\">",
    "\"><svg onload=hacked=1>",
    "<iframe srcdoc='<script>parent.hacked=1</script>'>",
    "javascript:hacked=1//",
    "<style>*{display:none}</style><base href=//example.org><meta http-equiv=refresh content=0;url=//example.org>",
    "<template><script>hacked=1</script></template><link rel=stylesheet href=//example.org>",
];

/** A table that says this of itself, and of all that can have a name. */
function named(title) {
    const text = JSON.stringify(title);
    return `table: hostile
title: ${text}
source: ${text}
vocabulary: markup
entry states: {data: ${text}}
states:
  ${text}:
    consume:
      EOF: emit EOF
      anything else: emit the current input character
`;
}

// With each character it copies all that it has read.
const COPYING = `table: copying
title: Copies all that it has read
vocabulary: markup
registers:
  temporary buffer: text
entry states: {data: start}
states:
  start:
    consume:
      EOF: emit EOF
      anything else:
        - append the current input character to the temporary buffer
        - create a comment token
        - append the temporary buffer to the comment data
        - emit the comment token
`;

// It runs for ever where there is a paragraph.
const ENDLESS = `tree: endless
title: Runs for ever
extends: html-tree-living
tokenizer: html-living
insertion modes:
  in body:
    start tag "p":
      - while the current node is a body element: [parse error]
`;

let browser;
let explorer;
before(async () => {
    const path = folder({ "copying.yaml": COPYING, "endless.yaml": ENDLESS, ...Object.fromEntries(PAYLOADS.map((it, index) => [`hostile-${index}.yaml`, named(it)])) });
    const own = PAYLOADS.map((_, index) => `${path}/hostile-${index}.yaml`);
    [browser, explorer] = await Promise.all([launch(), serve(`${path}/copying.yaml`, `${path}/endless.yaml`, ...own)]);
});
after(async () => {
    await browser?.close();
    explorer?.stop();
});

async function harmless(page) {
    const found = await page.evaluate(() => [
        window.hacked,
        document.scripts.length,
        document.querySelectorAll("main script, main img, main iframe, main style, main base, main meta, main link, main svg[onload]").length,
    ]);
    assert.deepEqual(found, [undefined, 1, 0]);
}

test("payloads stay texts, wherever they stand", async () => {
    for (const [index, payload] of PAYLOADS.entries()) {
        const start = JSON.stringify({ content: payload, lastStartTag: payload, context: payload, scripting: payload, questions: [payload] });
        const places = [
            { input: payload },
            { view: payload, a: payload, b: payload, input: payload, step: payload, at: payload, start: payload, "a-text": payload },
            { view: "compare", a: `hostile-${index}.yaml`, b: `hostile-${index}.yaml`, input: payload, start: "" },
            { view: "compare", input: payload, start },
            { view: "trace", a: `hostile-${index}.yaml`, input: payload },
            { view: "read", a: `hostile-${index}.yaml`, at: payload, input: "" },
        ];
        const { page, close } = await open(browser, explorer.address, { hash: hash(places[index % places.length]) });
        await settled(page);
        for (const words of places) {
            await goTo(page, words);
            if (await page.locator("#this-browser").count()) {
                await page.click("#this-browser");
                await settled(page);
            }
            assert.ok((await page.textContent("main")).length > 100);
            await harmless(page);
        }
        // What the inert document of “this browser” would like to set.
        await close(payload.includes("<base") ? ["style-src", "base-uri", "inline style", "base URI"] : []);
    }
});

test("a table that takes all memory is stopped, and the page says so", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ a: "copying.yaml", b: "html-living", input: "ab" }) });
    await settled(page);
    assert.deepEqual(await page.$$eval("table.tokens td:first-child code", (all) => all.map((it) => it.textContent)), ['comment "a"', 'comment "ab"']);
    await page.fill("#input", "a".repeat(200_000));
    await page.waitForSelector(".failure", { timeout: 15000 });
    assert.match(await page.textContent(".failure"), /needed more than 2048 MiB, and was stopped/);
    // The next request has another worker.
    await page.fill("#input", "a");
    await page.waitForSelector("table.tokens");
    await close();
});

test("a table that runs for ever is stopped, and the page shows its steps", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ a: "endless.yaml", b: "html-tree-living", input: "abc<p>" }) });
    await page.waitForSelector(".failure");
    assert.match(await page.textContent(".failure"), /endless\.yaml:\d+:\d+: these steps run for ever with the token at byte 3/);
    await page.fill("#input", "<b>");
    await page.waitForSelector("table.tokens");
    await close();
});

test("a large input is shown in part, and soon", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ a: "html-2026-06", b: "html-living", input: "" }) });
    await settled(page);
    // Not typed: a text area takes long to lay out lines one by one.
    await page.$eval("#input", (box) => {
        box.value = "<a b='c'>d\n".repeat(20_000);
        box.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction(() => document.querySelector(".overlay")?.textContent.includes("more tokens"), undefined, { timeout: 20_000 });
    assert.equal(await page.locator("table.tokens tbody tr").count(), 1500);
    assert.match(await page.textContent("table.tokens tfoot"), /^38500 more rows/);
    assert.equal(await page.textContent("table.tokens tbody tr:nth-child(1001) .place"), "501:1");
    await close();
});

/** The status of a request with these headers. */
function status(headers, { method = "GET", path = "/", body = "" } = {}) {
    const { port } = new URL(explorer.address);
    return new Promise((resolve, reject) => {
        const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
            response.resume();
            resolve(response.statusCode);
        });
        sent.on("error", reject);
        sent.end(body);
    });
}

test("the server answers its own page alone", async () => {
    const { host, origin } = new URL(explorer.address);
    const json = { "Content-Type": "application/json" };
    const post = { method: "POST", path: "/api", body: '{"ask":"start"}' };
    assert.equal(await status({ Host: host }), 200);
    assert.equal(await status({ Host: host, ...json, Origin: origin }, post), 200);
    assert.equal(await status({ Host: "example.org" }), 403);
    assert.equal(await status({ Host: `example.org:${host.split(":")[1]}` }), 403);
    assert.equal(await status({ Host: host, Origin: "http://example.org", ...json }, post), 403);
    assert.equal(await status({ Host: host, Origin: "null", ...json }, post), 403);
    assert.equal(await status({ Host: host, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", ...json }, post), 403);
    assert.equal(await status({ Host: host, "Content-Type": "text/plain" }, post), 415);
    assert.equal(await status({ Host: host, ...json }, { ...post, body: "{}" }), 400);
    assert.equal(await status({ Host: host, ...json }, { ...post, body: " ".repeat(3 << 20) }), 413);
    assert.equal(await status({ Host: host }, { path: "/api" }), 405);
    for (const path of ["/etc/passwd", "/../../../etc/passwd", "/%2e%2e/Cargo.toml", "//etc/passwd", "/src/lib.rs"]) {
        assert.equal(await status({ Host: host }, { path }), 404, path);
    }
});

test("without its server the page says so kindly", async () => {
    const other = await serve();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(other.address);
    await settled(page);
    other.stop();
    await page.fill("#input", "<b>");
    await page.waitForSelector(".failure");
    assert.match(await page.textContent(".failure"), /server does not answer.*speclex explore/);
    await context.close();
});
