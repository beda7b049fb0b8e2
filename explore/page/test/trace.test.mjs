// Trace and Read: the steps are those of the command, the arm is shown in its table, and all can be found.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { accessible, command, goTo, hash, launch, open, serve, settled } from "./explorer.mjs";

let browser;
let explorer;
before(async () => {
    [browser, explorer] = await Promise.all([launch(), serve()]);
});
after(async () => {
    await browser?.close();
    explorer?.stop();
});

const INPUT = "<p a=1>x&amp<?b c?><table>d</p>";

test("the steps of states are those of the command", async () => {
    const steps = command(["trace", "--spec", "html-living", "--format", "json"], INPUT).trim().split("\n").map((it) => JSON.parse(it));
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "trace", a: "html-living", input: INPUT }) });
    await settled(page);
    const count = await page.locator(".steps button").count();
    assert.equal(count, steps.length);
    assert.ok(count > 25);
    for (const [index, step] of steps.entries()) {
        assert.equal(await page.textContent(".arm .of"), step.state);
        assert.equal(await page.textContent(".arm .on"), step.on);
        const does = await page.$$eval(".does li", (all) => all.map((it) => it.textContent));
        assert.deepEqual(does.slice(0, step.actions.length), step.actions);
        const errors = await page.$$eval(".out.error code", (all) => all.map((it) => it.textContent));
        assert.deepEqual(errors, step.errors.map((it) => `${it.line}:${it.col} ${it.code}`));
        for (const [name, value] of Object.entries(step.changed)) {
            const values = await page.$$eval(".values dt", (all) => all.map((it) => [it.textContent, it.nextSibling.textContent]));
            assert.ok(values.some(([known, shown]) => known === name && shown === value), `${name} ${value}`);
        }
        assert.ok((await page.locator(".yaml .marked").count()) > 0, `${step.state} on ${step.on}`);
        await page.keyboard.press("ArrowRight");
        assert.equal(await page.inputValue("#step"), String(Math.min(index + 1, count - 1)));
    }
    await close();
});

test("the steps of tree construction are those of the command", async () => {
    const steps = command(["trace", "--spec", "html-tree-living", "--scripting", "normal", "--format", "json"], INPUT).trim().split("\n").map((it) => JSON.parse(it));
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "trace", a: "html-tree-living", input: INPUT, step: 2 }) });
    await settled(page);
    assert.equal(await page.inputValue("#step"), "2");
    await page.keyboard.press("Home");
    for (const step of steps) {
        const arms = await page.$$eval(".arm", (all) => all.map((it) => [it.querySelector(".of").textContent, it.querySelector(".on").textContent, [...it.querySelectorAll(".does li")].map((li) => li.textContent)]));
        assert.deepEqual(arms, step.arms.map((it) => [it.mode, it.arm, it.steps]));
        await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("End");
    assert.equal(await page.inputValue("#step"), String(steps.length - 1));
    await close();
});

test("the marked lines are the arm's", async () => {
    for (const [a, input, step, file, line] of [
        ["html-living", "<?a>", 1, "html-living.yaml", "U+003F (?): [set the temporary buffer to the empty string, switch to processing instruction open]"],
        ["html-living", "<a", 1, "html-2026-06.yaml", "ASCII alpha: [create a start tag token, reconsume in tag name]"],
        ["html-tree-living", "<p>a", 1, "html-tree-2026-06.yaml", "any other character token:"],
    ]) {
        const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "trace", a, input, step }) });
        await settled(page);
        assert.match(await page.textContent(".text h2"), new RegExp(`^In ${file}, line \\d+$`));
        assert.equal((await page.locator(".yaml .marked").first().textContent()).replace(/^\d+/, "").trim(), line);
        await page.waitForSelector(".diagram .node");
        assert.ok((await page.locator(".diagram .node").count()) > 2);
        assert.equal(await page.locator(".diagram .node.now").count(), 1);
        await close();
    }
});

test("a table can be read, and what is in it be found", async () => {
    const { page, close } = await open(browser, explorer.address, { hash: hash({ view: "read", a: "html-living" }) });
    await settled(page);
    assert.match(await page.textContent(".results"), /HTML Living Standard, 21 August 2026/);
    await page.keyboard.press("/");
    await page.keyboard.type("tag open");
    await page.click("button.item:text-is('tag open')");
    assert.match(await page.textContent(".results"), /13\.2\.5\.6/);
    assert.equal(await page.getAttribute(".title a", "href"), "https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state");
    assert.equal(await page.locator(".yaml").count(), 2);
    await page.click("#show-rust");
    await page.waitForSelector(".rust");
    assert.match(await page.textContent(".rust"), /^fn tag_open<.*Step::to\(State::MarkupDeclarationOpen, at \+ 1\)/s);
    for (const [words, item, wanted] of [
        ["eof-in-tag", "eof-in-tag", /Reported in.*tag name/s],
        ["&notin", "&notin;", /stands for ∉ \(U\+2209\)/],
        ["reconsume in", "reconsume in STATE", /phrase/],
    ]) {
        await page.fill("#search", words);
        await page.click(`button.item:has-text("${item}") >> nth=0`);
        assert.match(await page.textContent(".results"), wanted);
    }
    await page.selectOption("#read-table", "html-tree-living");
    await settled(page);
    await page.fill("#search", "in cell");
    await page.click("button.item:text-is('in cell')");
    assert.match(await page.textContent(".results"), /close the cell/);
    // Back and forth by links.
    await page.click(".results .chips button:text-is('in row')");
    assert.match(await page.textContent(".title"), /^in row/);
    await close();
});

for (const theme of ["light", "dark"]) {
    for (const width of [1440, 390]) {
        test(`both are accessible and fit, ${theme} at ${width} pixels`, async () => {
            const { page, close } = await open(browser, explorer.address, { width, theme });
            for (const words of [
                { view: "trace", a: "html-tree-living", input: INPUT, step: 4 },
                { view: "trace", a: "html-2012", input: INPUT, step: 9 },
                { view: "read", a: "html-living", at: "tag open" },
                { view: "read", a: "html-tree-living", at: "in body" },
                { view: "read", a: "xml5" },
            ]) {
                await goTo(page, words);
                await accessible(page);
                const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
                assert.ok(wide <= view, `${JSON.stringify(words)}: ${wide} of ${view} pixels`);
            }
            await close();
        });
    }
}
