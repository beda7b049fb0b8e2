// A copy of the page without a server: from any web server, and with all of its examples.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { accessible, column, command, folder, goTo, launch, open, settled } from "./explorer.mjs";

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", json: "application/json", txt: "text/plain" };

let browser;
let server;
let address;
before(async () => {
    const path = folder({});
    assert.match(command(["explore", "--export", path]), /files in/);
    server = createServer((request, response) => {
        const name = join(path, new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html"));
        const found = existsSync(name);
        response.writeHead(found ? 200 : 404, { "Content-Type": TYPES[name.split(".").pop()] ?? "text/plain" });
        response.end(found ? readFileSync(name) : "");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${server.address().port}/`;
    browser = await launch();
});
after(async () => {
    await browser?.close();
    server?.close();
});

test("each example has its answer, and the browser's tree", async () => {
    const { page, close } = await open(browser, address);
    await settled(page);
    assert.deepEqual(await column(page, "tokens", "a"), ['comment "?a"']);
    assert.deepEqual(await page.$$eval("nav button", (all) => all.map((it) => it.textContent)), ["Compare", "Read"]);
    const lists = page.locator(".examples details");
    for (let index = 0; index < (await lists.count()); index++) {
        if (index > 0) await lists.nth(index).locator("summary").click();
        const examples = lists.nth(index).locator("button");
        for (let number = 0; number < (await examples.count()); number++) {
            await examples.nth(number).click();
            await settled(page);
            assert.match(await page.textContent(".verdict"), /^They differ\./);
        }
    }
    await page.click("#this-browser");
    await settled(page);
    assert.equal(await page.locator(".failure").count(), 0);
    // A link to an example is the example.
    const shown = await page.textContent(".verdict");
    await page.waitForTimeout(300);
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await settled(page);
    assert.equal(await page.textContent(".verdict"), shown);
    await close();
});

test("tables can be read, and what is not there is said", async () => {
    const { page, close } = await open(browser, address);
    await goTo(page, { view: "read", a: "html-tree-living", at: "in cell" });
    assert.match(await page.textContent(".results"), /close the cell/);
    await accessible(page);
    await goTo(page, { view: "compare", a: "html-2009", b: "html-living", input: "no example" });
    await page.waitForSelector(".failure");
    assert.match(await page.textContent(".failure"), /has no server.*run “speclex explore”/);
    // The browser’s console names the file that is not there.
    await close(["404"]);
});
