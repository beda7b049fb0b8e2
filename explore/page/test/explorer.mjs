// What the tests share: a server, a browser, and pages of which nothing may go wrong unseen.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import assert from "node:assert/strict";
import axe from "axe-core";
import { chromium } from "playwright-core";

/** The command that is tested. */
export const SPECLEX = process.env.SPECLEX;
assert.ok(SPECLEX, "SPECLEX names the command that is tested: .ci/explore sets it");

/** Starts `speclex explore`. */
export async function serve(...args) {
    const server = spawn(SPECLEX, ["explore", "--port", "0", ...args], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface(server.stdout)) {
        const found = /http:\/\/\S+/.exec(line);
        if (found) return { address: found[0], server, stop: () => server.kill() };
    }
    throw new Error("the server prints no address");
}

/** A browser, without what asks its maker's servers. */
export function launch() {
    const flags = "--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags.split(" ") });
}

/** Opens a page. `wrong` lists what must not happen: errors, violations of the policy, dialogs. */
export async function open(browser, address, { hash = "", width = 1440, theme = "light" } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
    await context.addInitScript(() => {
        window.violations = [];
        document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
    });
    const page = await context.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
    page.on("dialog", (dialog) => {
        wrong.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on("request", (request) => new URL(request.url()).origin !== new URL(address).origin && wrong.push(`request: ${request.url()}`));
    await page.goto(address + hash);
    return {
        page,
        /** `refused` is what the policy is to refuse. */
        async close(refused = []) {
            wrong.push(...(await page.evaluate(() => window.violations)).map((it) => `policy: ${it}`));
            const unwanted = wrong.filter((it) => !refused.some((part) => it.includes(part)));
            assert.deepEqual(unwanted, []);
            await context.close();
        },
    };
}

/** The page has shown what its place says. */
export async function settled(page) {
    await page.waitForTimeout(150);
    await page.waitForFunction(() => document.querySelector("main")?.firstChild && !document.querySelector(".waiting"));
}

/** Goes to another place of the page that is open. */
export async function goTo(page, words) {
    await page.evaluate((to) => (location.hash = to), hash(words));
    await settled(page);
}

/** What axe finds. */
export async function accessible(page) {
    // Not by a script element, which the policy refuses.
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => window.axe.run());
    const found = violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.target).join(", ")}`);
    assert.deepEqual(found, []);
}

/** What the command prints. */
export function command(args, input) {
    const { stdout } = spawnSync(SPECLEX, args, { input, encoding: "utf8" });
    return stdout;
}

/** A folder with these files; removed at the end. */
export function folder(files) {
    const path = mkdtempSync(join(tmpdir(), "explorer-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
    process.on("exit", () => rmSync(path, { recursive: true, force: true }));
    return path;
}

/** The fragment of a place. */
export function hash(words) {
    return `#${new URLSearchParams(words)}`;
}

/** The texts of one side of a table of the page. */
export function column(page, table, side) {
    return page.$$eval(`table.${table} tbody td:nth-child(${side === "a" ? 1 : 2}) code`, (all) => all.map((it) => it.textContent));
}
