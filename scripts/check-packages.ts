/**
 * Checks the published packages: packs each, installs the tarballs in an empty project without a network, and type-checks and
 * runs programs there as users write them (`tests/package-programs`), with each TypeScript version and module resolution.
 * Then checks what each import of the engine costs in a bundle.
 *
 *     npm run build && npm run packages
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { importLimits, tooLargeImports } from "./lib/import-sizes.ts";

const compilers = { "TypeScript 5.9": "typescript-5", "TypeScript 7": "typescript" } as const;

/** How users compile: with the module resolution of Node or of a bundler. */
const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** The time limit of a program. */
const timeoutMs = 120_000;

/** Type-checks and runs `tests/package-programs`, and type-checks the programs of pages, in a project with the packages installed. */
function checkPrograms(folder: string): string[] {
  cpSync("tests/package-programs", folder, { recursive: true });
  copyReadmeProgram(folder, "notifier");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  const programs = globSync("*.ts", { cwd: folder }).sort();
  return [
    ...Object.entries(compilers).flatMap(([name, compiler]) =>
      resolutions.flatMap((resolution) => typeCheck(folder, name, { compiler, how: resolution })),
    ),
    ...programs.flatMap((program) => run(folder, program)),
  ];
}

/** The first program of a package's README, which is type-checked but not run. */
function copyReadmeProgram(folder: string, name: string): void {
  const page = readFileSync(join(folder, "node_modules/@plimsoll", name, "README.md"), "utf8");
  const program = /^```ts\n(.*?)^```$/ms.exec(page)?.[1];
  if (program === undefined) throw new Error(`@plimsoll/${name}: expected a program in README.md, found none`);
  mkdirSync(join(folder, "readme"), { recursive: true });
  writeFileSync(join(folder, "readme", `${name}.ts`), program);
}

function typeCheck(
  folder: string,
  name: string,
  { compiler, how }: { readonly compiler: string; readonly how: (typeof resolutions)[number] },
): string[] {
  const compilerOptions = {
    ...how,
    target: "es2024",
    lib: ["es2024", "esnext.disposable", "esnext.iterator"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts", "readme/*.ts"] }));
  const compile = [resolve("node_modules", compiler, "bin/tsc"), "-p", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, compile, { encoding: "utf8" });
  console.log(`${name}, ${how.moduleResolution}: ${status === 0 ? "type-checks" : "fails"}`);
  return status === 0 ? [] : [`${name}, ${how.moduleResolution}:\n${stdout}${stderr}`];
}

function run(folder: string, program: string): string[] {
  const how = { cwd: folder, encoding: "utf8", timeout: timeoutMs } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], how);
  console.log(`${basename(program)}: ${status === 0 ? stdout.trim() : "fails"}`);
  return status === 0 ? [] : [`${program} ended with ${status}\n${stdout}${stderr}`];
}

/** The problems of a package's manifest: exported paths and commands that do not exist or cannot be loaded. */
async function checkManifest({ manifest, folder }: PackedPackage): Promise<string[]> {
  const problems: string[] = [];
  for (const field of ["keywords", "homepage", "repository", "license", "description"]) {
    if (!(field in manifest)) problems.push(`${manifest.name} has no ${field}`);
  }
  for (const [path, { types, default: script }] of Object.entries(manifest.exports)) {
    if (path.includes("*")) continue; // each source of it is a bundle like the others
    const name = `${manifest.name}${path.slice(1)}`;
    if (!existsSync(join(folder, types))) problems.push(`${name}: no declarations at ${types}`);
    await import(pathToFileURL(join(folder, script)).href).catch((error: Error) =>
      problems.push(`${name}: ${error.message}`),
    );
  }
  for (const [name, script] of Object.entries(manifest.bin ?? {})) {
    const first = existsSync(join(folder, script)) ? readFileSync(join(folder, script), "utf8").split("\n")[0] : "";
    if (!first?.startsWith("#!")) problems.push(`command ${name}: ${script} is no executable script`);
  }
  return problems;
}

/** The used parts of a `package.json`. */
interface PackageManifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A package with its tarball. */
interface PackedPackage {
  readonly manifest: PackageManifest;
  /** Its folder in the repository. */
  readonly folder: string;
  readonly tarball: string;
}

/** Packs every package that is not private. */
function packPackages(destination: string): readonly PackedPackage[] {
  return globSync("packages/*/package.json")
    .sort()
    .map((path) => ({ folder: dirname(path), manifest: JSON.parse(readFileSync(path, "utf8")) as PackageManifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .map((each) => {
      const how = { cwd: each.folder, encoding: "utf8" as const };
      const name = execFileSync(
        "npm",
        ["pack", "--silent", "--offline", "--pack-destination", destination],
        how,
      ).trim();
      return { ...each, tarball: join(destination, name) };
    });
}

const legal = ["package/LICENSE", "package/README.md", "package/THIRD-PARTY-NOTICES.md"];

/** The problems of a tarball: missing or unwanted files, and the findings of publint and attw. */
async function checkTarball({ manifest: { name }, tarball }: PackedPackage): Promise<string[]> {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const texts = execFileSync("tar", ["-xOzf", tarball], { encoding: "utf8", maxBuffer: 2 ** 30 });
  return [
    ...legal.filter((file) => !files.includes(file)).map((file) => `${name} has no ${file}`),
    ...files.filter((file) => /\.tsbuildinfo$|\.test\./.test(file)).map((file) => `${name} has ${file}`),
    ...(texts.includes(process.cwd()) ? [`${name} names a path of this machine`] : []),
    ...(await publishProblems(name, tarball)),
    ...judge(name, "attw", [tarball, "--profile", "esm-only", "--no-emoji", "--no-color"]),
  ];
}

/** The condition `plimsoll-source` is for this repository: no package has its sources. */
async function publishProblems(name: string, tarball: string): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  return messages
    .filter(({ path }) => !path.includes("plimsoll-source"))
    .map((message) => `${name}: publint: ${formatMessage(message, pkg ?? {})}`);
}

function judge(name: string, tool: string, words: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(join("node_modules/.bin", tool), words, { encoding: "utf8" });
  return status === 0 ? [] : [`${name}: ${tool}\n${stdout}${stderr}`];
}

/** Additional dependencies of the programs. */
const programsNeed = ["fastify", "pino", "@types/node", "undici-types"];

/**
 * Puts the tarballs into `folder/node_modules`, with links only to the third-party packages that they declare. Optional ones are not there
 * unless the programs need them, as for users who do not install them.
 */
function installTarballs(packed: readonly PackedPackage[], folder: string): void {
  const thirdParties = new Set<string>();
  const optional = new Set<string>();
  for (const { manifest, tarball } of packed) {
    const place = join(folder, "node_modules", manifest.name);
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", place, "--strip-components=1"]);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta: meta = {} } = manifest;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) thirdParties.add(name);
    for (const name of Object.keys(peerDependencies)) if (meta[name]?.optional) optional.add(name);
  }
  const linked = new Set([...[...thirdParties].filter((each) => !optional.has(each)), ...programsNeed]);
  for (const name of [...linked].filter((each) => !each.startsWith("@plimsoll/"))) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(resolve("node_modules", name), place);
  }
}

const folder = mkdtempSync(join(tmpdir(), "plimsoll-packages-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const problems: string[] = [];
const packed = packPackages(folder);
for (const each of packed) problems.push(...(await checkManifest(each)), ...(await checkTarball(each)));
installTarballs(packed, folder);
problems.push(...checkPrograms(folder));
const { exports = {} } = packed.find(({ manifest }) => manifest.name === "@plimsoll/core")?.manifest ?? {};
problems.push(...(await tooLargeImports(importLimits(Object.keys(exports)), { folder, conditions: [] })));

for (const problem of problems) console.log(problem);
console.log(`${packed.length} packages, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
