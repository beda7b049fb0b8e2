// Builds the page: src/ to dist/, the same bytes each time. `npm ci && npm run build`.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
process.chdir(root);
const out = process.argv[2] ?? "dist";
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const built = await build({
    // The editor and the diagram are loaded when they are needed.
    entryPoints: ["src/explorer.ts", "src/editor.ts", "src/diagram.ts", "src/explorer.css"],
    outdir: out,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    external: ["./editor.js", "./diagram.js"],
    metafile: true,
    logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) copyFileSync(join("src", file), join(out, file));

// What the licences of the bundled packages ask for.
const packages = new Set();
for (const input of Object.keys(built.metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
}
const texts = [...packages].sort().map((name) => {
    const folder = join("node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
});
writeFileSync(join(out, "licences.txt"), texts.join(`\n${"-".repeat(72)}\n\n`));

// A test that has no Node compares this with the sources: FNV-1a of 64 bits over names and contents.
let hash = 0xcbf29ce484222325n;
const sources = readdirSync("src").map((file) => `src/${file}`);
for (const name of [...sources, "build.mjs", "package-lock.json"].sort()) {
    for (const bytes of [Buffer.from(name), readFileSync(name)]) {
        for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    }
}
writeFileSync(join(out, "sources.txt"), `${hash.toString(16).padStart(16, "0")}\n`);
