import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PackedPackage } from "./pack-packages.ts";

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
