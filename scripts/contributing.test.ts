import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("CONTRIBUTING.md", () => {
  it("describes each npm command", () => {
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

  it("link to headings that exist", () => {
    const broken = globSync(pages, { cwd: root }).flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s#:]*\.md|)#([^)\s]+)\)/g)]
        .filter(([, path = "", heading = ""]) => {
          const target = path === "" ? page : join(dirname(page), path);
          return existsSync(join(root, target)) && !headingsOf(read(target)).has(heading);
        })
        .map(([link]) => `${page}: ${link}`),
    );

    expect(broken).toEqual([]);
  });

  it("name source files that exist", () => {
    const sources = globSync(["{packages,tests,scripts,benchmarks,examples}/**/*.{ts,tsx,mjs,sh}", "*.ts", ".ci/*"], {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
    });
    const named = globSync([...pages, "packages/*/src/**/README.md"], { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|sh))`/g), ([, name = ""]) => ({ page, name })),
    );

    const isThere = (name: string) => sources.some((path) => path === name || path.endsWith(`/${name}`));
    expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("name npm commands that exist", () => {
    const commands = Object.keys(JSON.parse(read("package.json")).scripts);
    const unknown = globSync(pages, { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g), ([, name = ""]) => ({ page, name })),
    );

    expect(unknown.filter(({ name }) => !commands.includes(name))).toEqual([]);
  });

  it("name commands of plimsoll that are there", () => {
    const reference = read("docs/reference/command-line.md");
    const commands = new Set(Array.from(reference.matchAll(/^## plimsoll (.+)$/gm), ([, name = ""]) => name));
    const groups = new Set([...commands].filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]));
    const named = globSync([...pages, ".changeset/*.md"], { cwd: root }).flatMap((page) =>
      Array.from(
        read(page).matchAll(/(?:`|npx )plimsoll ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g),
        ([, first = "", second]) => ({
          page,
          name: second !== undefined && groups.has(first) ? `${first} ${second}` : first,
        }),
      ),
    );

    expect(named.filter(({ name }) => !commands.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("name tests that exist", () => {
    const tests = globSync(["{packages,tests,scripts}/**/*.test.ts"], {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
    });
    const named = globSync(pages, { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(/vitest run --project \w+ ([^`#\n]+)/g), ([, paths = ""]) =>
        paths.trim().split(/\s+/),
      )
        .flat()
        .map((path) => ({ page, path })),
    );

    expect(named.filter(({ path }) => !path.includes("<") && !tests.some((each) => each.includes(path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it("explain $TOKEN", () => {
    const silent = globSync("docs/how-to/*.md", { cwd: root }).filter(
      (page) => read(page).includes("$TOKEN") && !/`\$TOKEN`/.test(read(page)),
    );

    expect(silent).toEqual([]);
  });
});

/** The anchors of a page's headings: a second heading of the same name ends in `-1`. */
function headingsOf(text: string): ReadonlySet<string> {
  const slugs = [...text.replace(/^```.*?^```/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const seen = new Map<string, number>();
  return new Set(
    slugs.map((slug) => {
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}

/** Links to other files of the clone, without their anchors. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link.split("#")[0] ?? "")
    .filter((link) => link !== "" && !/^[a-z]+:/.test(link));
}
