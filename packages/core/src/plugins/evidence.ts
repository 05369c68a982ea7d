import type { UnassessedKind } from "../model/index-report.ts";
import type { Watcher } from "../tar/entry.ts";
import type { BuildMark } from "./detector.ts";

/** The package that a path names, as the caches of package managers do. The evidence counts as read where the package is found, in any place. */
export interface EvidencePackage {
  readonly name: string;
  readonly version: string;
}

/** A rule by which a file shows that packages are there, whether or not a detector reads them. Each package counts once, by the file that describes it. */
export interface FileEvidence {
  /** The kind of the packages. */
  readonly kind: UnassessedKind;
  /** Names of files without their folders. Upper and lower case are equal. */
  readonly files?: readonly string[];
  /** Extensions without the dot, such as `jar`, or two of them: `tar.gz`. Upper and lower case are equal. */
  readonly extensions?: readonly string[];
  /** Tested on the whole path. Absent: any path of these names. */
  readonly where?: Pick<RegExp, "test">;
  /** Places where the file shows nothing, for example where a detector reads it. */
  readonly unless?: Pick<RegExp, "test">;
  /** Set if the file lists packages that may be installed. It counts as read if those packages are found. */
  readonly isLockFile?: true;
  /** Of a lock file, the path from its folder to a file that lists the packages, if that is there. */
  readonly listedIn?: string;
  /** The package that the path names; undefined, or no such function, if it names none. */
  packageOf?(path: string): EvidencePackage | undefined;
  /** Set if the file is a tar archive, plain or in gzip. It is evidence if the name of a member matches. */
  readonly packed?: Pick<RegExp, "test">;
  /** Watches the content of a file of this name, of which only the content shows that it is evidence. */
  readonly watch?: (onFound: () => void) => Watcher;
}

/** A rule by which the files of a folder show that a package is there: all of them together are one piece of evidence, with the path of the first. */
export interface FolderEvidence {
  /** The kind of the package. */
  readonly kind: UnassessedKind;
  /** The folder that a file belongs to, with a slash at the end; undefined for other files. Called for every file: cheap and pure. */
  folderOf(path: string): string | undefined;
  /** Set if the evidence counts as read where a package of the ecosystem is found below the folder. */
  readonly isReadBelow?: true;
  /** See {@link FileEvidence.packageOf}. */
  packageOf?(path: string): EvidencePackage | undefined;
}

/** A rule by which a mark in the content of a program shows that packages are in it. */
export interface MarkEvidence {
  /** The kind of the packages. */
  readonly kind: UnassessedKind;
  readonly mark: BuildMark;
}

/** What shows that packages of an ecosystem are in an image. */
export type EvidenceRule = FileEvidence | FolderEvidence | MarkEvidence;
