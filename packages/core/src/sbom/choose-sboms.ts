import { ScanError } from "../errors.ts";
import type { NamedSbom } from "./merge-sboms.ts";

/** A bill of materials of a file, and the digests of what an attestation of it is about. */
export interface SbomOfFile extends NamedSbom {
  readonly subjects: readonly string[];
}

/** How many subjects a message names. */
const mostNamed = 5;

/**
 * Those bills of materials of a file that are about the chosen subject, or all of them if none is chosen and all are about one.
 * @param name of the file
 * @param subject the digest of an image
 * @throws ScanError `malformed_sbom` if none is about the subject, or if they are about several
 */
export function chooseSboms(
  sboms: readonly SbomOfFile[],
  { name, subject }: { readonly name: string; readonly subject: string | undefined },
): readonly SbomOfFile[] {
  if (subject !== undefined) {
    const chosen = sboms.filter(({ subjects }) => subjects.includes(subject));
    if (chosen.length > 0) return chosen;
    throw new ScanError("malformed_sbom", `${name}: expected an attestation about ${subject}, found ${named(sboms)}`);
  }
  if (sboms.length === 1 || haveOneSubject(sboms)) return sboms;
  const isAttested = sboms.some(({ subjects }) => subjects.length > 0);
  const hint = isAttested ? `: choose one with sbom:${name}@DIGEST` : ": give each its own file";
  throw new ScanError(
    "malformed_sbom",
    `${name}: expected bills of materials about one image, found ${sboms.length} about ${named(sboms)}${hint}`,
  );
}

/** Attestations state what they are about by digests. Documents alone only have a name of it. */
function haveOneSubject(sboms: readonly SbomOfFile[]): boolean {
  if (sboms.some(({ subjects }) => subjects.length > 0)) {
    const [first, ...others] = sboms.map(({ subjects }) => subjects);
    return first?.some((digest) => others.every((each) => each.includes(digest))) ?? false;
  }
  const names = new Set(sboms.map(nameOf));
  return names.size === 1 && !names.has("");
}

function nameOf({ sbom: { subject } }: SbomOfFile): string {
  return subject === undefined ? "" : `${subject.name}${subject.version === undefined ? "" : ` ${subject.version}`}`;
}

function named(sboms: readonly SbomOfFile[]): string {
  const all = [...new Set(sboms.map((each) => each.subjects[0] ?? (nameOf(each) || "a subject that is not stated")))];
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : "";
  return `${all.slice(0, mostNamed).join(", ")}${more}`;
}
