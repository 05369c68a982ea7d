import { type PackageDetails, type PackageFile, packageDetails } from "../../model/package-details.ts";
import type { DetectOptions, LayerFile } from "../../plugins/detector.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { isPlain, quoted } from "../linux/text.ts";

/** The package that a file proves. */
export interface Proof {
  readonly name: string;
  /** Empty if the file has none. */
  readonly version: string;
  /** The place inside the file: `WEB-INF/lib/a.jar`. */
  readonly within?: string;
  readonly arch?: string;
  /** See {@link PackageFinding.development}. */
  readonly development?: true;
  /** See {@link PackageFinding.linkedParts}. */
  readonly linkedParts?: readonly string[];
  /** See {@link PackageFinding.mainModule}. */
  readonly mainModule?: string;
  /** See {@link PackageFinding.candidates}. */
  readonly candidates?: readonly string[];
  /** See {@link PackageFinding.namePatterns}. */
  readonly namePatterns?: readonly string[];
  /** See {@link PackageFinding.otherIdentities}. */
  readonly otherIdentities?: readonly string[];
  /** See {@link PackageFinding.dependenciesIn}. */
  readonly dependenciesIn?: readonly string[];
  /** See {@link PackageFinding.dependencies}. */
  readonly dependencies?: readonly string[];
  /** See {@link PackageFinding.dependencyFolders}. */
  readonly dependencyFolders?: readonly string[];
  /** See {@link PackageFinding.qualifiers}. */
  readonly qualifiers?: Readonly<Record<string, string>>;
  /** See {@link PackageFinding.details}. */
  readonly details?: PackageDetails;
}

/** The finding of a package that a file proves; a problem if its name, version or architecture is too long or has control characters. */
export function provenPackage({ path }: Pick<LayerFile, "path">, proof: Proof): Finding {
  const { name, version, within, arch, development, linkedParts, candidates, otherIdentities } = proof;
  const { namePatterns, dependenciesIn, dependencies, dependencyFolders, qualifiers, mainModule, details } = proof;
  const odd = [name, version, arch ?? "", ...Object.values(qualifiers ?? {})].find((word) => !isPlain(word));
  if (odd !== undefined) return unreadable(path, `expected a short word, found ${quoted(odd)}`, within);
  return {
    kind: "package",
    packageDb: within === undefined ? path : `${path}:${within}`,
    file: within === undefined ? undefined : path,
    development: development === true ? development : undefined,
    linkedParts,
    mainModule,
    candidates,
    namePatterns,
    otherIdentities,
    dependenciesIn,
    dependencies,
    dependencyFolders,
    qualifiers,
    details: details && packageDetails(details),
    package: { name, version, kind: "BINARY", arch },
  };
}

/** The finding of a package that is the file itself, with the digests of the file if these are wanted. */
export function asFile(finding: Finding, kind: PackageFile["kind"], { digests }: DetectOptions = {}): Finding {
  if (finding.kind !== "package" || digests === undefined) return finding;
  return { ...finding, details: { ...finding.details, file: { kind, ...digests() } } };
}

/** The problem of a file, or of a part of it, that cannot be read as a package. */
export function unreadable(path: string, message: string, within?: string): Finding {
  const place = within === undefined ? message : `${within}: ${message}`;
  return { kind: "problem", path, code: "malformed_package_db", message: place };
}
