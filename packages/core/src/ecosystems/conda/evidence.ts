import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed } from "../language/lock-file-evidence.ts";

/**
 * A package in the cache of conda: `pkgs/NAME-VERSION-BUILD`, packed (`.conda`, `.tar.bz2`) or unpacked, which has `info/index.json`. Neither a version nor a build has a dash.
 * @see https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html
 */
const cached = /(?:^|\/)([^/]+)-([^-/]+)-[^-/]+(?:\.conda|\.tar\.bz2|\/info\/index\.json)$/;

function cachedAs(path: string): EvidencePackage | undefined {
  const isPacked = path.endsWith(".conda");
  if (!isPacked && !(path.includes("pkgs/") && (path.endsWith(".tar.bz2") || path.endsWith("/info/index.json"))))
    return undefined;
  const [, name, version] = cached.exec(path) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** A package once, whether it is there packed, unpacked or both. */
function cachedPackage(path: string): string | undefined {
  const found = cachedAs(path);
  return found && `pkgs/${found.name}-${found.version}/`;
}

/** What shows that there are packages of conda. */
export const condaEvidence: readonly EvidenceRule[] = [
  { kind: "conda", folderOf: cachedPackage, packageOf: cachedAs },
  { kind: "conda", extensions: ["json"], where: /(?:^|\/)conda-meta\/[^/]+\.json$/ },
  lockFilesNamed("conda", "conda-lock.yml", "pixi.lock"),
  lockFilesLike("conda", "yml", /[^/]\.conda-lock\.yml$/i),
  lockFilesLike("conda", "yaml", /[^/]\.conda-lock\.yaml$/i),
];
