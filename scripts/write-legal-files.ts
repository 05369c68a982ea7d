/**
 * Writes the licence and the notices of third parties into each published package; `npm run build` runs it. A package that
 * contains third-party code (the command is one bundle) gets their complete licences, the others a table of their dependencies.
 */
import { copyFileSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A direct or indirect dependency of a package. */
interface ThirdParty {
  readonly name: string;
  readonly folder: string;
  readonly license: string;
}

/** Packages whose code is inside the published files. */
const bundles: ReadonlySet<string> = new Set(["@plimsoll/console", "@plimsoll/server"]);

/** The development dependencies that sources which are built into published files import, by the folder of the package. */
const builtIn: ReadonlyMap<string, readonly string[]> = new Map([
  ["packages/console", importedBy("packages/console/package.json", "packages/console/web/**/*.{ts,tsx}")],
]);

const lock: Readonly<Record<string, LockEntry>> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;

for (const manifestPath of globSync("packages/*/package.json").sort()) {
  const folder = manifestPath.replace("/package.json", "");
  const { name, private: isPrivate = false } = JSON.parse(readFileSync(manifestPath, "utf8"));
  if (isPrivate) continue;
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.md"), notices(name, thirdPartiesOf(folder)));
}

function notices(name: string, parties: readonly ThirdParty[]): string {
  const title = "# Third-party notices\n\n";
  if (parties.length === 0) return `${title}${name} neither holds nor needs code of third parties.\n`;
  const table = [
    "| package | licence |",
    "| --- | --- |",
    ...parties.map((each) => `| ${each.name} | ${each.license} |`),
  ];
  const rows = `${table.join("\n")}\n`;
  if (!bundles.has(name)) return `${title}${name} holds no code of third parties. It needs:\n\n${rows}`;
  const texts = parties.map((party) => `\n## ${party.name}\n\n${licenseText(party)}\n`);
  return `${title}The published files of ${name} hold code of:\n\n${rows}${texts.join("")}`;
}

/** The licence text of a package, or the licence's name where the package has no text. */
function licenseText({ folder, license }: ThirdParty): string {
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  if (file === undefined) return `Licence: ${license}`;
  return `\`\`\`\n${readFileSync(join(folder, file), "utf8").trim().replaceAll("```", "'''")}\n\`\`\``;
}

/** All dependencies of a workspace except other workspaces, by name. */
function thirdPartiesOf(workspace: string): readonly ThirdParty[] {
  const found = new Map<string, ThirdParty>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const name of [...Object.keys(lock[path]?.dependencies ?? {}), ...(builtIn.get(path) ?? [])]) {
      const place = resolve(path, name);
      const entry = lock[place];
      if (entry?.link !== true) found.set(place, { name, folder: place, license: licenseOf(place) });
      visit(entry?.link === true ? (entry.resolved ?? "") : place);
    }
  };
  visit(workspace);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The place in the lock file of a dependency of the package at `path`. */
function resolve(path: string, name: string): string {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (lock[place] !== undefined) return place;
    if (folder === "") throw new Error(`package-lock.json has no ${name} for ${path}`);
  }
}

function licenseOf(place: string): string {
  const inLock = lock[place]?.license;
  if (inLock !== undefined) return inLock;
  const manifest = join(place, "package.json");
  const license: unknown = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).license : undefined;
  if (typeof license !== "string") throw new Error(`${place} names no licence`);
  return license;
}

function importedBy(manifest: string, sources: string): readonly string[] {
  const code = globSync(sources).map((file) => readFileSync(file, "utf8"));
  const imported = code.flatMap((each) =>
    [...each.matchAll(/(?:from|import) "([^"]+)"/g)].map(([, name = ""]) => `${name}/`),
  );
  const names = Object.keys(JSON.parse(readFileSync(manifest, "utf8")).devDependencies);
  return names.filter((name) => imported.some((each) => each.startsWith(`${name}/`)));
}
