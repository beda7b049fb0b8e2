// Compare: what A and B make of an input, and that it is what the command prints.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { accessible, column, command, hash, launch, open, serve, settled } from "./explorer.mjs";

let browser;
let explorer;
before(async () => {
    [browser, explorer] = await Promise.all([launch(), serve()]);
});
after(async () => {
    await browser?.close();
    explorer?.stop();
});

const INPUT = "<!DOCTYPE html><p id=x>One<?note this?>\ntwo&ampthree</P><table><td>é\u202e<select><div>";

test("the page says where two tables differ first", async () => {
    const { page, close } = await open(browser, explorer.address);
    await settled(page);
    assert.match(await page.textContent(".verdict"), /^They differ\. First token at 3:8: A comment "\?note this\?"; B processing instruction "note" "this"\.$/);
    assert.equal(await page.locator("table.tokens tr.first").count(), 1);
    await close();
});

test("tokens, errors and trees are those of the commands", async () => {
    const words = { view: "compare", a: "html-2026-06", b: "html-living", input: INPUT };
    const { page, close } = await open(browser, explorer.address, { hash: hash(words) });
    await settled(page);
    for (const [side, table] of [["a", "html-2026-06"], ["b", "html-living"]]) {
        const printed = command(["tokenize", "--spec", table], INPUT).split("\n").filter(Boolean);
        const lines = printed.map((line) => /^(\S+)\s+(.*)$/.exec(line).slice(1));
        const tokens = lines.filter(([, text]) => !text.startsWith("error ") && text !== "end of file").map(([, text]) => text);
        const errors = lines.filter(([, text]) => text.startsWith("error ")).map(([place, text]) => `${place} ${text.slice(6)}`);
        assert.ok(tokens.length > 8 && errors.length > 0);
        // Characters that nobody sees are shown as in a Rust string, in both.
        assert.deepEqual(await column(page, "tokens", side), tokens);
        const shown = await page.$$eval(`table.errors tbody td:nth-child(${side === "a" ? 1 : 2}):not(.nothing)`, (all) =>
            all.map((it) => `${it.querySelector(".place").textContent} ${it.querySelector("code").textContent}`),
        );
        assert.deepEqual(shown, errors);
    }
    await page.selectOption("#table-a", "html-tree-2022-10");
    await page.selectOption("#table-b", "html-tree-living");
    await settled(page);
    for (const [side, table] of [["a", "html-tree-2022-10"], ["b", "html-tree-living"]]) {
        const printed = command(["tree", "--tree", table, "--scripting", "normal"], INPUT);
        const [tree, errors] = printed.replace("#document\n", "").split("\n#errors\n");
        const shown = (await column(page, "tree", side)).map((line) => line.replace(/↵\n$/, ""));
        const lines = tree.trimEnd().replace("\u202e", "\\u{202e}").split("\n");
        assert.deepEqual(shown, lines.map((line) => line.replace(/^\| /, "")));
        const count = await page.locator(`table.errors tbody td:nth-child(${side === "a" ? 1 : 2}):not(.nothing)`).count();
        assert.equal(count, errors.split("\n#host steps")[0].split("\n").filter(Boolean).length);
    }
    await close();
});

test("an example is one click, and shows what its sentence says", async () => {
    const { page, close } = await open(browser, explorer.address);
    await settled(page);
    await page.click("text=a processing instruction instead of a comment");
    await settled(page);
    assert.equal(await page.inputValue("#input"), "<?a>");
    assert.match(await page.textContent(".verdict"), /comment "\?a".*processing instruction "a"/);
    // Each comparison has examples, and each differs.
    const lists = page.locator(".examples details");
    assert.equal(await lists.count(), 8);
    for (let index = 1; index < 8; index++) {
        await lists.nth(index).locator("summary").click();
        await lists.nth(index).locator("button").first().click();
        await settled(page);
        assert.match(await page.textContent(".verdict"), /^They differ\./);
    }
    await close();
});

test("this browser's tree is shown beside ours", async () => {
    const input = "<!DOCTYPE html><p>a<b>c</p>d<template><td>x</template><svg viewbox=1 xlink:href=2><desc>e";
    const { page, close } = await open(browser, explorer.address, { hash: hash({ a: "html-tree-2022-10", b: "html-tree-2026-06", input }) });
    await settled(page);
    await page.keyboard.press("w");
    await page.waitForSelector("#browser");
    assert.equal(await page.locator("#browser .verdicts .same").count(), 2);
    const ours = await column(page, "browser-tree", "a");
    assert.deepEqual(ours.slice(0, 5), ["<!DOCTYPE html>", "<html>", "  <head>", "  <body>", "    <p>"]);
    const parts = new Set(ours.map((it) => it.trim()));
    for (const part of ["content", "xlink href=\"2\"", "viewBox=\"1\""]) assert.ok(parts.has(part), part);
    assert.deepEqual(await column(page, "browser-tree", "b"), ours);
    // Of two tables that differ, it can be like one only.
    await page.fill("#input", "<?a>");
    await page.selectOption("#table-b", "html-tree-living");
    await settled(page);
    const verdicts = await page.$$eval("#browser .verdicts li", (all) => all.map((it) => it.className));
    assert.deepEqual(verdicts.length, 2);
    assert.notDeepEqual(verdicts[0], verdicts[1]);
    await close();
});

test("characters that a field cannot hold are written with escapes", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ input: "a\r\0b\\" }) });
    await settled(page);
    assert.equal(await page.inputValue("#input"), "a\\r\\0b\\\\");
    await page.fill("#input", "\\u{c}\\0<\\u{110000}");
    await settled(page);
    assert.deepEqual(await column(page, "tokens", "a"), ['characters "\\u{c}\\0<\\\\u{110000}"']);
    await page.uncheck("#escapes");
    await close();
});

test("a link shows the same case again", async () => {
    const { page, close } = await open(browser, explorer.address);
    await settled(page);
    await page.selectOption("#table-a", "html-2009");
    await page.fill("#input", "<a\u{1f600}='&#x80;&#0'>\n");
    await settled(page);
    await page.waitForTimeout(300);
    const link = page.url();
    const shown = await page.textContent(".results");
    assert.match(link, /a=html-2009/);
    await close();
    const again = await open(browser, link);
    await settled(again.page);
    assert.equal(await again.page.inputValue("#input"), "<a\u{1f600}='&#x80;&#0'>\n");
    assert.equal(await again.page.textContent(".results"), shown);
    // The address of a page that is open changes.
    await again.page.evaluate(() => (location.hash = "#a=xml5&b=xml5-2016&input=%3Ca/%3E"));
    await settled(again.page);
    assert.equal(await again.page.inputValue("#table-a"), "xml5");
    assert.equal(await again.page.inputValue("#input"), "<a/>");
    await again.close();
});

test("the keyboard is enough", async () => {
    const { page, close } = await open(browser, explorer.address);
    await settled(page);
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#keys"));
    await page.keyboard.press("Escape");
    await page.waitForSelector("#keys", { state: "hidden" });
    await page.keyboard.press("i");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("<x>?");
    await page.keyboard.press("Escape");
    await page.keyboard.press("x");
    await settled(page);
    assert.equal(await page.inputValue("#table-a"), "html-living");
    assert.equal(await page.inputValue("#input"), "<x>?");
    // Each control can be reached.
    const reached = new Set();
    await page.evaluate(() => document.body.focus());
    for (let index = 0; index < 40; index++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.localName));
    }
    for (const wanted of ["skip", "copy", "theme", "table-a", "table-b", "swap", "input", "escapes", "summary", "example", "overlay"]) {
        assert.ok(reached.has(wanted), `${wanted} in ${[...reached]}`);
    }
    await close();
});

for (const theme of ["light", "dark"]) {
    for (const width of [1440, 390]) {
        test(`it is accessible and fits, ${theme} at ${width} pixels`, async () => {
            const { page, close } = await open(browser, explorer.address, { hash: hash({ a: "html-2014", input: `${INPUT}<a b b><!-- ${"x".repeat(300)} -->` }), width, theme });
            await settled(page);
            await page.click("#this-browser");
            await page.waitForSelector("#browser");
            await accessible(page);
            const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
            assert.ok(wide <= view, `${wide} of ${view} pixels`);
            const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
            assert.equal(paper, theme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 24, 28)");
            await page.keyboard.press("t");
            assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
            await close();
        });
    }
}
