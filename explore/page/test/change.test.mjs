// Change: a wrong and a right edit, what is said of them while they are written, and what they make of the input.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { accessible, column, command, folder, goTo, hash, launch, open, serve, settled } from "./explorer.mjs";

let browser;
let explorer;
before(async () => {
    [browser, explorer] = await Promise.all([launch(), serve()]);
});
after(async () => {
    await browser?.close();
    explorer?.stop();
});

/** The text in the editor, by what it was asked to hold. */
async function write(page, text) {
    const content = page.locator(".editor .cm-content");
    await content.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Backspace");
    await page.keyboard.insertText(text);
}

const OVERLAY = `table: mine
title: Mine
extends: html-living

states:
  tag open:
    consume:
      U+003F (?): [create a comment token, reconsume in bogus comment]
`;

const TREE = `tree: mine
extends: html-tree-living
tokenizer: html-living
insertion modes:
  in body:
    start tag "p": insert an HTML element for the token
`;

test("an edit is checked and shown while it is written", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "change", a: "html-living", input: "<?a>" }) });
    await page.waitForSelector(".check-status.same");
    await settled(page);
    assert.match(await page.textContent(".verdict"), /the same table/);
    // A word that is wrong.
    await write(page, OVERLAY.replace("bogus comment", "bogus coment"));
    await page.waitForSelector(".check-status.different");
    assert.match(await page.textContent(".faults"), /line 8 .*bogus coment.*did you mean `bogus comment`/);
    assert.equal(await page.locator(".editor .cm-lintRange-error").count(), 1);
    await page.waitForSelector(".failure");
    // The same as the command says.
    const path = folder({ "mine.yaml": OVERLAY.replace("bogus comment", "bogus coment") });
    const said = JSON.parse(command(["check", `${path}/mine.yaml`, "--format", "json"]).trim().split("\n")[0]);
    assert.ok((await page.textContent(".faults")).includes(said.message));
    // And corrected.
    await write(page, OVERLAY);
    await page.waitForSelector(".check-status.same");
    await page.waitForSelector("table.tokens");
    await settled(page);
    assert.deepEqual(await column(page, "tokens", "a"), ['processing instruction "a" ""']);
    assert.deepEqual(await column(page, "tokens", "b"), ['comment "?a"']);
    writeFileSync(`${path}/mine.yaml`, OVERLAY);
    assert.match(command(["tokenize", "--spec", `${path}/mine.yaml`], "<?a>"), /comment "\?a"/);
    // Files.
    for (const [id, name, part] of [["save-table", "mine.yaml", OVERLAY], ["save-rust", "mine.rs", "fn tag_open<"], ["save-test", "mine.test", '["Comment","?a"]']]) {
        const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`#${id}`)]);
        assert.equal(saved.suggestedFilename(), name);
        assert.ok(readFileSync(await saved.path(), "utf8").replaceAll(/\s/g, "").includes(part.replaceAll(/\s/g, "")));
    }
    // A link has the edit.
    await page.waitForTimeout(400);
    const link = page.url();
    await close();
    const again = await open(browser, link);
    await again.page.waitForSelector("table.tokens");
    await settled(again.page);
    assert.deepEqual(await column(again.page, "tokens", "b"), ['comment "?a"']);
    assert.match(await again.page.textContent(".editor .cm-content"), /create a comment token, reconsume in bogus comment/);
    // Compare and Trace have it, too.
    await again.page.keyboard.press("Escape");
    await again.page.click("nav button:has-text('Compare')");
    await settled(again.page);
    assert.deepEqual(await column(again.page, "tokens", "b"), ['comment "?a"']);
    await again.close();
});

test("words are completed and explained", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "change", a: "html-living", input: "" }) });
    await page.waitForSelector(".check-status.same");
    await write(page, OVERLAY.slice(0, OVERLAY.indexOf("[create")));
    await page.keyboard.press("Control+End");
    await page.keyboard.type("recon");
    await page.waitForSelector(".editor .cm-tooltip-autocomplete");
    assert.match(await page.textContent(".editor .cm-tooltip-autocomplete"), /reconsume in STATE/);
    await page.keyboard.press("Escape");
    await write(page, OVERLAY);
    await page.hover(".editor .cm-line:has-text('reconsume in bogus') >> text=/reconsume/");
    await page.waitForSelector(".editor .word", { timeout: 5000 });
    assert.match(await page.textContent(".editor .word"), /STATE|token/);
    await close();
});

test("an edit of tree construction is shown as a tree", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "change", a: "html-tree-living", input: "<p>a<p>b" }) });
    await page.waitForSelector(".check-status.same");
    await page.click("text=Extend it");
    await page.waitForFunction(() => document.querySelector(".editor").shadowRoot.textContent.includes("My change of"));
    await write(page, TREE);
    await page.waitForSelector(".check-status.same");
    await page.waitForFunction(() => document.querySelectorAll("table.tree .differs").length > 0);
    const rows = await column(page, "tree", "b");
    assert.ok(rows.includes("      <p>"), rows.join("\n"));
    await close();
});

test("what a change does is searched, proven, or stopped", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "change", a: "html-living", input: "" }) });
    await page.waitForSelector(".check-status.same");
    await write(page, OVERLAY);
    await page.waitForSelector(".check-status.same");
    await page.click("#look");
    await page.waitForSelector(".effect-verdict", { timeout: 60000 });
    assert.match(await page.textContent(".effect-verdict"), /^The change shows, in one way\.$/);
    await page.click(".effect .example");
    await settled(page);
    assert.match(await page.textContent(".verdict"), /^They differ\./);
    await write(page, "table: mine\ntitle: Mine\nextends: html-living\n");
    assert.equal(await page.locator(".effect-verdict").count(), 0);
    await page.click("#look");
    await page.waitForSelector(".effect-verdict", { timeout: 60000 });
    assert.match(await page.textContent(".effect-verdict"), /^It is proven that no input shows the change\.$/);
    // One that takes half a minute ends at once, and so does the process that searches.
    const workers = () => spawnSync("ps", ["--ppid", String(explorer.server.pid), "-o", "pid="], { encoding: "utf8" }).stdout.trim().split("\n").length;
    await page.selectOption("#change-table", "html-2012");
    await page.waitForFunction(() => document.querySelector(".editor").shadowRoot.textContent.includes("html-2012"));
    await write(page, readFileSync(new URL("../../../spec-tables/html-2009.yaml", import.meta.url), "utf8"));
    await page.waitForSelector(".check-status.same");
    await settled(page);
    await page.click("#look");
    await page.waitForSelector("#stop");
    await page.waitForTimeout(600);
    const before = workers();
    await page.click("#stop");
    assert.match(await page.textContent(".effect"), /Stopped/);
    // The server notices within a second or two; the search itself would go on for many.
    for (let tries = 0; tries < 25 && workers() >= before; tries++) await page.waitForTimeout(200);
    assert.equal(workers(), before - 1);
    await close();
});

test("an edit of tree construction is searched, too", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "change", a: "html-tree-living", input: "" }) });
    await page.waitForSelector(".check-status.same");
    await write(page, TREE);
    await page.waitForFunction(() => document.querySelectorAll(".check-status.same").length > 0);
    await page.click("#look");
    await page.waitForSelector(".effect-verdict", { timeout: 60000 });
    assert.match(await page.textContent(".effect-verdict"), /^The change shows, in one way\.$/);
    assert.match(await page.textContent(".effect .example"), /in body: start tag "p"/);
    await close();
});

for (const theme of ["light", "dark"]) {
    for (const width of [1440, 390]) {
        test(`Change is accessible and fits, ${theme} at ${width} pixels`, async () => {
            const { page, close } = await open(browser, explorer.address, { width, theme });
            await goTo(page, { view: "change", a: "html-living", input: "<?a>" });
            await page.waitForSelector(".check-status.same");
            await write(page, OVERLAY.replace("bogus comment", "bogus coment"));
            await page.waitForSelector(".check-status.different");
            await settled(page);
            await accessible(page);
            const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
            assert.ok(wide <= view, `${wide} of ${view} pixels`);
            await close();
        });
    }
}
