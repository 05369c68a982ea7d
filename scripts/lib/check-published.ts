import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PackedPackage } from "./pack-packages.ts";

const compilers = { "TypeScript 5.9": "typescript-5", "TypeScript 7": "typescript" } as const;

/** How users compile: with the module resolution of Node or of a bundler. */
const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** The time limit of a program. */
const timeoutMs = 120_000;

/** Type-checks and runs `scripts/package-programs`, and type-checks the programs of pages, in a project with the packages installed. */
export function checkPrograms(folder: string): string[] {
  cpSync("scripts/package-programs", folder, { recursive: true });
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
export async function checkManifest({ manifest, folder }: PackedPackage): Promise<string[]> {
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
