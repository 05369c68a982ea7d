import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenRules } from "./layer-rules.ts";
import { parseSources } from "./parsed-source.ts";

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

/** The last commit before subjects were checked. Archives of the sources, and clones of a few commits, do not have it. */
const checkedSince = "cf807c6867";

describe("the subject of a commit", () => {
  const { status, stdout } = spawnSync("git", ["log", "--format=%s", `${checkedSince}..HEAD`], {
    cwd: root,
    encoding: "utf8",
  });

  it.skipIf(status !== 0)("is `area: what`, of at most 72 characters", () => {
    const subjects = stdout.split("\n").filter((subject) => subject !== "" && !subject.startsWith("Merge "));

    expect(subjects.filter((subject) => !isSubject(subject))).toEqual([]);
  });

  it.each([
    ["core/apk: order _p after release", true],
    ["core, registry: two files are in their readers' files", true],
    [`core: ${"a".repeat(67)}`, false],
    ["Fix the order of versions", false],
    ["core:order", false],
  ])("%s is one: %s", (subject, expected) => {
    expect(isSubject(subject)).toBe(expected);
  });
});

function isSubject(text: string): boolean {
  return text.length <= 72 && /^[\w./@ ,+-]+: \S/.test(text);
}

describe("pages for readers", () => {
  const pages = ["*.md", "docs/**/*.md", "packages/*/README.md", "examples/**/README.md", "benchmarks/README.md"];
  const allPages = [...pages, "packages/*/src/**/README.md"];

  it("link to files that exist", () => {
    const broken = globSync(allPages, { cwd: root }).flatMap((page) =>
      linksOf(read(page))
        .filter((link) => !existsSync(join(root, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );

    expect(broken).toEqual([]);
  });

  it("link to headings that exist", () => {
    const broken = globSync(allPages, { cwd: root }).flatMap((page) =>
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
    const named = globSync(allPages, { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|sh))`/g), ([, name = ""]) => ({ page, name })),
    );

    const isThere = (name: string) => sources.some((path) => path === name || path.endsWith(`/${name}`));
    expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("name folders of packages that exist", () => {
    const packages = globSync("packages/*", { cwd: root }).map((path) => basename(path));
    const folders = globSync("packages/*/{assembly,src,web}{,/**/}", { cwd: root }).map((path) =>
      path.replace(/\/$/, ""),
    );
    const ofPackage = new RegExp(`\`((?:packages/)?(?:${packages.join("|")})/(?!dist/)[a-z\\d/-]+)\``, "g");
    const named = globSync(allPages, { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(ofPackage), ([, path = ""]) => ({ page, path: path.replace(/\/$/, "") })),
    );

    const isThere = (path: string) =>
      [path, path.replace("/", "/src/")].some((each) => folders.some((folder) => `/${folder}`.endsWith(`/${each}`)));
    expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("name folders of the registry by paths from their own folder or from that of the sources", () => {
    const isThere = (page: string, path: string) =>
      [dirname(page), page.split("/").slice(0, 3).join("/"), "packages"].some((from) =>
        existsSync(join(root, from, path)),
      );
    const named = globSync("packages/registry*/src/**/README.md", { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(/`([a-z][a-z\d/-]*)\/`/g), ([, path = ""]) => ({ page, path })),
    );

    expect(named.filter(({ page, path }) => !isThere(page, path))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("name contract suites that exist", () => {
    const suites = globSync("packages/*/src/**/{contracts,fixtures}/*contract*.ts", { cwd: root }).map(read).join("\n");
    const named = globSync(allPages, { cwd: root }).flatMap((page) =>
      Array.from(read(page).matchAll(/`(\w+Contract)`/g), ([, name = ""]) => ({ page, name })),
    );

    expect(named.filter(({ name }) => !new RegExp(`^export \\w+ ${name}\\b`, "m").test(suites))).toEqual([]);
    expect(named.length).toBeGreaterThan(2);
  });

  it("name all packages that the engine imports", () => {
    const names = Object.keys(JSON.parse(read("packages/core/package.json")).dependencies);
    const inReadme = names.filter((name) => !read("packages/core/README.md").includes(`\`${name}\``));
    const inRules = names.filter((name) => !read("docs/architecture.md").includes(`\`${name}\``));

    expect([inReadme, inRules]).toEqual([[], []]);
  });

  it("name kinds of settings that can be imported", () => {
    const kinds = new Set(
      Array.from(read("packages/server/src/config/setting-kind.ts").matchAll(/^export (?:const|function) (\w+)/gm)).map(
        ([, name]) => name,
      ),
    );
    const texts = ["docs/how-to/add-a-setting.md", "packages/server/src/config/setting.ts"].map(read).join("\n");
    const listed = /The kinds \((.*?) …\)/.exec(texts)?.[1] ?? "";
    const named = [...listed.matchAll(/`(\w+)`/g), ...texts.matchAll(/\bkind: (\w+),/g)].map(([, name]) => name);

    expect(named.filter((name) => !kinds.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(3);
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

  it("name the texts of the console in each language where they say how a page is added", () => {
    const howTo = read("docs/how-to/add-a-console-page.md");
    const languages = globSync("packages/console/web/texts/*/", { cwd: root }).map((path) => path.replace(/\/$/, ""));

    const missing = languages.filter((path) => !howTo.includes(`\`${path}/\``) || !howTo.includes(`\`${path}.ts\``));

    expect(languages.length).toBeGreaterThan(1);
    expect(missing).toEqual([]);
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

/** Programs of the how-tos. The first line of one in this repository names its file: `// packages/…/file.ts`. */
const programs = globSync("docs/how-to/*.md", { cwd: root }).flatMap((page) =>
  Array.from(read(page).matchAll(/^```ts\n(.*?)^```/gms), ([, text = ""]) => ({
    page,
    text,
    path: /^\/\/ (packages\/\S+\.ts)\b/.exec(text)?.[1],
  })),
);
const placed = programs.flatMap(({ page, path, text }) => (path === undefined ? [] : [{ page, path, text }]));
const parsed = parseSources(placed.map(({ path, text }) => ({ path, text })));

describe("a program of a how-to", () => {
  it("names its file if it imports another by a relative path", () => {
    const nowhere = programs.filter(({ path, text }) => path === undefined && /from "\.{1,2}\//.test(text));

    expect(nowhere.map(({ page }) => page)).toEqual([]);
    expect(placed.length).toBeGreaterThan(5);
  });

  it.each(parsed.map((file, at) => ({ file, path: file.path, page: placed[at]?.page })))(
    "imports only what exists and may be imported: $path ($page)",
    ({ file }) => {
      expect([...file.imports.flatMap((each) => missingOf(file.path, each)), ...brokenRules(file)]).toEqual([]);
    },
  );
});

describe("comments", () => {
  it("name source files that exist", () => {
    const sources = globSync(["{packages,tests,scripts,benchmarks,examples}/**/*.{ts,tsx,mjs,sh}", "*.ts"], {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
    });
    const named = sources
      .filter((path) => /^packages\/(?!.*\.test\.)/.test(path))
      .flatMap((path) =>
        Array.from(read(path).matchAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm), ([line]) => line)
          .flatMap((line) => Array.from(line.matchAll(/`([\w/-][\w./-]*\.tsx?)`/g), ([, name = ""]) => name))
          .map((name) => ({ path, name })),
      );

    const isThere = (name: string) => sources.some((path) => path === name || path.endsWith(`/${name}`));
    expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });
});

describe("the types of tests", () => {
  it("are checked for every package", () => {
    const checked = globSync("tsconfig*tests.json", { cwd: root }).flatMap((file) => JSON.parse(read(file)).include);

    const packages = globSync("packages/*/src/**/*.test.ts", { cwd: root }).map((path) => path.split("/src/")[0]);
    const missing = [...new Set(packages)].filter((each) => !checked.includes(`${each}/src/**/*.test.ts`));

    expect(missing).toEqual([]);
  });
});

/** The missing parts of an import: the file, or names that it does not export. */
function missingOf(
  path: string,
  { specifier, names }: { readonly specifier: string; readonly names: readonly string[] },
) {
  if (!specifier.startsWith(".")) return [];
  const target = join(dirname(path), specifier);
  if (!existsSync(join(root, target))) return [`${target} is not there`];
  const text = read(target);
  const isExported = (name: string) =>
    new RegExp(`^export (?:async )?(?:abstract )?(?:interface|type|class|function\\*?|const) ${name}\\b`, "m").test(
      text,
    );
  return names.filter((name) => !isExported(name)).map((name) => `${target} does not export ${name}`);
}
