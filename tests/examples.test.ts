/** Examples and instructions as a reader tries them: as their pages call them, pasted whole, without what they need. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { programEnvironment, programWords } from "./support/killed-program.ts";

const root = resolve(import.meta.dirname, "..");
const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, image, db } = world;
const here = join(folder.path, "here");
const temporary = join(folder.path, "temporary");
for (const each of [here, join(temporary, ".cache")]) mkdirSync(each, { recursive: true });

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function runExample(name: string, words: readonly string[]): Promise<Ended> {
  const main = new URL(`../examples/${name}/main.ts`, import.meta.url);
  const own = Object.fromEntries(["HOME", "USERPROFILE", "TMPDIR", "TEMP"].map((variable) => [variable, temporary]));
  const env = { ...programEnvironment, ...own };
  return new Promise((done) => {
    execFile(process.execPath, [...programWords(main), ...words], { cwd: here, env }, (error, stdout, stderr) => {
      done({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

describe("examples", () => {
  it("scan-five-lines keeps its database out of the folder where it is started", async () => {
    copyFileSync(db, join(temporary, ".cache", "scan-five-lines.db"));

    const { code, stdout } = await runExample("scan-five-lines", [`oci-archive:${image}`]);

    expect([code, stdout]).toEqual([0, "libssl3 3.0.11-1~deb12u1 → 3.0.11-1~deb12u2 (CVE-2024-0001)\n"]);
    expect(readdirSync(here)).toEqual([]);
  });

  it("use no name in the temporary folder that another user may have taken", () => {
    const programs = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
      .map((file) => [file, readFileSync(join(root, "examples", file), "utf8")] as const);

    const fixed = programs.filter(([, text]) => /(?<!mkdtemp(Sync)?\()join\(tmpdir\(\)/.test(text));

    expect(fixed.map(([file]) => file)).toEqual([]);
  });

  it.each([
    ["fail-build-on-critical", [], "MANIFEST [SERVICE] [SEVERITY]"],
    ["fail-build-on-critical", ["none.json"], "MANIFEST [SERVICE] [SEVERITY]"],
    ["receive-webhook", [], "MANIFEST TRACKER [DATABASE]"],
    ["receive-webhook", [join(root, "package.json")], "MANIFEST TRACKER [DATABASE]"],
    ["receive-webhook", [join(root, "package.json"), "none.json"], "MANIFEST TRACKER [DATABASE]"],
  ])("%s %j says how it is used", async (name, words, usage) => {
    const { code, stderr } = await runExample(name, words);

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`usage: node main.ts ${usage}`) });
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("instructions that start a server behind them", () => {
  const pages = ["README.md", ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map(inDocs)]
    .filter((page) => page.endsWith(".md"))
    .filter((page) => /^[^#\n]* &( #.*)?$/m.test(readFileSync(join(root, page), "utf8")));

  function inDocs(name: string): string {
    return join("docs", name);
  }

  it.each(pages)("%s waits for it when it is pasted", (page) => {
    for (const [, block = ""] of readFileSync(join(root, page), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)) {
      const lines = block.split("\n");
      const start = lines.findIndex((line) => /^[^#]* &( #.*)?$/.test(line));
      const asked = lines.slice(start + 1).find((line) => line.startsWith("curl "));
      if (start >= 0) expect(asked).toContain("--retry-connrefused");
    }
  });

  it("are looked at", () => {
    expect(pages).toContain("README.md");
  });
});
