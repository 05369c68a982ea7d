/** Checks what is published: every exported path and every command of every package is there and can be loaded. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

interface Exported {
  readonly types: string;
  readonly default: string;
}

const problems: string[] = [];
let checked = 0;

for (const manifestPath of globSync("packages/*/package.json").sort()) {
  const folder = dirname(manifestPath);
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
  for (const [path, { types, default: script }] of Object.entries<Exported>(manifest.exports)) {
    await checkExport(`${manifest.name}${path.slice(1)}`, join(folder, types), join(folder, script));
  }
  for (const [name, script] of Object.entries<string>(manifest.bin ?? {})) {
    checked += 1;
    const first = existsSync(join(folder, script)) ? readFileSync(join(folder, script), "utf8").split("\n")[0] : "";
    if (!first?.startsWith("#!")) problems.push(`command ${name}: ${script} is no executable script`);
  }
  if (!existsSync(join(folder, "README.md"))) problems.push(`${manifest.name} has no README.md`);
}

for (const problem of problems) console.log(problem);
console.log(`${checked} exports and commands, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

async function checkExport(name: string, types: string, script: string): Promise<void> {
  checked += 1;
  if (!existsSync(types)) problems.push(`${name}: no declarations at ${types}`);
  try {
    await import(pathToFileURL(script).href);
  } catch (error) {
    problems.push(`${name}: ${(error as Error).message}`);
  }
}
