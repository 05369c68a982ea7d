import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("CONTRIBUTING.md", () => {
  it("says what each npm command does", () => {
    const page = read("CONTRIBUTING.md");
    const isNamed = (name: string) =>
      page.includes(`| \`npm run ${name}\` |`) ||
      page.includes(`| \`npm run ${name} `) ||
      page.includes(`| \`npm ${name}\` |`);

    const missing = Object.keys(JSON.parse(read("package.json")).scripts).filter((name) => !isNamed(name));

    expect(missing).toEqual([]);
  });
});

describe("pages for readers", () => {
  const pages = ["*.md", "docs/**/*.md", "packages/*/README.md", "examples/**/README.md", "benchmarks/README.md"];

  it("link to files that exist", () => {
    const broken = globSync(pages, { cwd: root }).flatMap((page) =>
      linksOf(read(page))
        .filter((link) => !existsSync(join(root, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );

    expect(broken).toEqual([]);
  });
});

/** Links to other files of the clone, without the heading that they lead to. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link.split("#")[0] ?? "")
    .filter((link) => link !== "" && !/^[a-z]+:/.test(link));
}
