import type { LayerContents } from "../layer/layer-contents.ts";
import { atOnce } from "../model/at-once.ts";
import type { FileOwners } from "../plugins/detector.ts";
import type { Finding, PackageFinding } from "../plugins/finding.ts";
import { filesFor } from "./files-for.ts";

/** Findings by the names of detectors. */
type Findings = Readonly<Record<string, readonly Finding[]>>;

interface OwnersOptions {
  readonly fileOwners: readonly FileOwners[];
  readonly contents: LayerContents;
  readonly installed: Findings;
}

/**
 * Adds to findings of file detectors the operating system package that owns the file. A third-party package is not added as an owner,
 * since the distribution has no advisories for its content.
 * @param installed findings of the layer's package databases
 */
export function addOwners(found: Findings, { fileOwners, contents, installed }: OwnersOptions): Findings {
  const paths = new Set(
    Object.values(found).flatMap((findings) =>
      findings.flatMap((finding) => (finding.kind === "package" ? [mergedPath(fileOf(finding))] : [])),
    ),
  );
  if (paths.size === 0) return found;
  const owners = findOwners(paths, fileOwners, contents);
  if (owners.size === 0) return found;
  const thirdParties = thirdPartiesOf(installed);
  const settle = (finding: Finding): Finding => {
    if (finding.kind !== "package") return finding;
    const ownedBy = owners.get(mergedPath(fileOf(finding)));
    return ownedBy === undefined || thirdParties.has(ownedBy) ? finding : { ...finding, ownedBy };
  };
  return Object.fromEntries(Object.entries(found).map(([name, findings]) => [name, findings.map(settle)]));
}

function findOwners(
  paths: ReadonlySet<string>,
  fileOwners: readonly FileOwners[],
  contents: LayerContents,
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const reader of fileOwners) {
    try {
      const files = filesFor(reader, contents);
      if (files.size === 0) continue;
      for (const { path, owner } of atOnce(reader.owners(files), `owners of ${reader.name}`)) {
        const merged = mergedPath(path);
        if (paths.has(merged)) owners.set(merged, owner);
      }
    } catch {
      // the detector of the same database reports the problem; a package without an owner is matched on its own
    }
  }
  return owners;
}

function thirdPartiesOf(installed: Findings): ReadonlySet<string> {
  const names = new Set<string>();
  for (const finding of Object.values(installed).flat()) {
    if (finding.kind === "package" && finding.thirdParty !== undefined) names.add(finding.package.name);
  }
  return names;
}

/** The file in which a package was found. */
export function fileOf({ file, packageDb }: PackageFinding): string {
  return file ?? packageDb;
}

/** `/lib` and `/usr/lib` are one folder on most systems, and databases use either name. */
function mergedPath(path: string): string {
  return path.replace(/^usr\/(?=(?:lib(?:32|64|x32|exec)?|s?bin)\/)/, "");
}
