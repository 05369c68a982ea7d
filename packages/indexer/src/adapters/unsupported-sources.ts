import { ScanError } from "@plimsoll/core";

/** Kinds of sources of other scanners that are not supported, with a remedy. */
const otherKinds: ReadonlyMap<string, string> = new Map([
  ["oci-layout", "an OCI layout in a folder is oci-dir:FOLDER"],
  ["singularity", "Singularity images are not read yet"],
  ["vm", "images of virtual machines are not read yet"],
]);

/** Suffixes that mark a word as the name of a file. */
const fileSuffixes = [".json", ".spdx", ".tar", ".tar.gz", ".tgz", ".xml"];

/**
 * Refuses a known but unsupported kind of source. The text after the colon may also be the port of a registry with that name.
 * @throws ScanError `unsupported_source`
 */
export function refuseOtherKind(kind: string, rest: string): void {
  const remedy = otherKinds.get(kind);
  const isPort = /^\d{1,5}\//.test(rest);
  if (remedy !== undefined && !isPort) throw new ScanError("unsupported_source", `${kind}:${rest}: ${remedy}`);
}

/**
 * Refuses a word that looks like the path of a file, for a file that does not exist: it is not meant as an image in a registry.
 * @throws ScanError `not_found`
 */
export function refuseMissingFile(word: string): void {
  const isPath = /^[./~]/.test(word) || (!word.includes("/") && fileSuffixes.some((suffix) => word.endsWith(suffix)));
  if (!isPath) return;
  const otherwise = /^[./~]/.test(word) ? "" : `; for an image of this name, use registry:${word}`;
  throw new ScanError("not_found", `${word}: there is no such file or folder${otherwise}`);
}
