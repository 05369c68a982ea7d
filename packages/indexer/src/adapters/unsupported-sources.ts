import { ScanError } from "@plimsoll/core";

/** What sources of other scanners are, and how to go on without them. */
const otherKinds: ReadonlyMap<string, string> = new Map([
  ["oci-layout", "an OCI layout in a folder is oci-dir:FOLDER"],
  ["singularity", "Singularity images are not read yet"],
  ["vm", "images of virtual machines are not read yet"],
]);

/** Files of which people think as images, and that are not there. */
const fileSuffixes = [".json", ".spdx", ".tar", ".tar.gz", ".tgz", ".xml"];

/**
 * Refuses a source of a kind that is known and not read. What follows the colon may also be the port of a registry that is called so.
 * @throws ScanError `unsupported_source`
 */
export function refuseOtherKind(kind: string, rest: string): void {
  const remedy = otherKinds.get(kind);
  const isPort = /^\d{1,5}\//.test(rest);
  if (remedy !== undefined && !isPort) throw new ScanError("unsupported_source", `${kind}:${rest}: ${remedy}`);
}

/**
 * Refuses a word that looks like a file where there is none: no user means a registry's image by it.
 * @throws ScanError `not_found`
 */
export function refuseMissingFile(word: string): void {
  const isPath = /^[./~]/.test(word) || (!word.includes("/") && fileSuffixes.some((suffix) => word.endsWith(suffix)));
  if (!isPath) return;
  const otherwise = /^[./~]/.test(word) ? "" : `; for an image of this name, use registry:${word}`;
  throw new ScanError("not_found", `${word}: there is no such file or folder${otherwise}`);
}
