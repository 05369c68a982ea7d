import type { Distribution } from "../model/distribution.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";
import type { PackageDetails } from "../model/package-details.ts";

/** A result of a detector for one layer, of one of many kinds: `Extract<Finding, { kind: "package" }>`. Plain data: findings are stored per layer. */
export type Finding =
  /** An installed package. */
  | {
      readonly kind: "package";
      /** The path of the database; without a database, the path of the file in which the package was found. */
      readonly packageDb: string;
      readonly package: FoundPackage;
      /** What its record says about it besides. Left out by an engine without `details`. */
      readonly details?: PackageDetails;
      /** The repository of its ecosystem, if the file that lists it says which: a bill of materials has packages of several languages. */
      readonly repository?: Omit<PackageRepository, "id">;
      /** The maker of the package, if it is known not to be the distribution, whichever that is. */
      readonly thirdParty?: string;
      /** Who made the package, as its record says. The ecosystem tells in the finished image, whose distribution is known, whether that is a third party. */
      readonly maker?: string;
      /**
       * Set if the package does not say who made it: the distribution or others. The distribution's advisories are then about the package if they name it, but do not
       * decide about packages of languages in its files, as others made them.
       */
      readonly mayBeOfOthers?: true;
      /** Set if the database lists the package when its write-ahead log is not read. */
      readonly withoutLog?: true;
      /** The file in which the package was found, if `packageDb` names a part of it: `app.war` of `app.war:WEB-INF/lib/a.jar`. */
      readonly file?: string;
      /** Set if a lock file says that the package is needed only to develop the project, not to run it. */
      readonly development?: true;
      /** The parts of the package that are linked into the program, if the file lists them: see `linkedPartsKey`. */
      readonly linkedParts?: readonly string[];
      /** The commit of the main module of a Go program, or that it is not known, if the program is no release: see `mainModuleKey`. */
      readonly mainModule?: string;
      /** Names that the package may have, if the file does not state its whole name. Each is a guess. */
      readonly candidates?: readonly string[];
      /** Patterns, one of which matches its whole name whatever that is, if the file does not state it and they are known: see `namePatternKey`. */
      readonly namePatterns?: readonly string[];
      /** Facts that only the package's own system has, by the names of qualifiers in its package URL: `channel`. Empty ones do not count. */
      readonly qualifiers?: Readonly<Record<string, string>>;
      /** What other facts about the file say that the package is, if they do not agree: each a name, a version and the fact. */
      readonly otherIdentities?: readonly string[];
      /**
       * Folders in which the dependencies of an application may be installed, and documents that may list their files (`listing`). The application
       * counts only if packages are there, or if it is installed as a package itself (`link`): its description alone may be source code, or a test's.
       */
      readonly dependenciesIn?: readonly string[];
      /** Names of packages that an application needs. It also counts if at least half of them are in the finished image, wherever they are installed. */
      readonly dependencies?: readonly string[];
      /** Folders with a folder for each package, which has a file of the application's kind. If stated, `dependencies` count only there. */
      readonly dependencyFolders?: readonly string[];
    }
  /** What a file says about a package that another file lists, in the same ecosystem. An engine without `details` has none. */
  | {
      readonly kind: "details";
      readonly path: string;
      /** The name of the package. */
      readonly of: string;
      readonly details: PackageDetails;
      /** The name of the package that the file is about, if a link shows it to be about this one too; the parent of a model of Maven. */
      readonly like?: string;
      /** What those who inherit from a model of Maven take from it besides, by names of its properties and of the versions that it manages. */
      readonly values?: Readonly<Record<string, string>>;
    }
  /** A package database in the layer, even an empty one. */
  | {
      readonly kind: "database";
      readonly path: string;
      /** Its write-ahead log, which was read with it. Without that file, the database has the packages that say `withoutLog`. */
      readonly log?: string;
    }
  /** An operating system release. */
  | {
      readonly kind: "distribution";
      readonly path: string;
      /** The folder of the system, if it is not the root of the image: `opt/rootfs` of `opt/rootfs/etc/os-release`. */
      readonly root?: string;
      readonly distribution: Omit<Distribution, "id">;
    }
  /** A source of packages. */
  | {
      readonly kind: "repository";
      readonly path: string;
      readonly repository: Omit<PackageRepository, "id">;
    }
  /** Something that is there but could not be read. */
  | {
      readonly kind: "problem";
      readonly path: string;
      /** The write-ahead log of a database that cannot be read without it. Only without that file is it a problem. */
      readonly withoutLog?: string;
      readonly code: string;
      readonly message: string;
    }
  /** A path that shows the presence of packages that no detector reads. */
  | {
      readonly kind: "evidence";
      readonly path: string;
      readonly packages: UnassessedKind;
      /** The number of pieces of evidence that the path represents: 1, unless the layer has more of the kind than are listed. */
      readonly pieces: number;
      /** Set if a package of the distribution that owns the file answers for what is in it. */
      readonly unlessOwned?: true;
    }
  /** A setting of a package manager, in a file of its configuration. */
  | {
      readonly kind: "setting";
      readonly path: string;
      readonly name: string;
      readonly value: string;
    }
  /**
   * The repositories from which packages were installed, by the history of a package manager, even an empty one. The packages may be in any layer.
   */
  | {
      readonly kind: "origins";
      /** The file of the history. It counts as long as it is in the finished image. */
      readonly path: string;
      /** Its write-ahead log, which was read with it. Without that file, the history is `withoutLog`. */
      readonly log?: string;
      /** `name version arch` of packages by the name of their repository. */
      readonly packages: Readonly<Record<string, readonly string[]>>;
      readonly withoutLog?: Readonly<Record<string, readonly string[]>>;
    }
  /**
   * A file that is read only together with another one, which is not in its layer: the write-ahead log of a database. If both are in the finished
   * image, the engine gives them to the detectors together.
   */
  | {
      readonly kind: "log";
      readonly path: string;
      /** The path of the database. */
      readonly of: string;
    }
  /** Files that a document lists as parts of a package that it describes. A package found in such a file is not counted twice. */
  | {
      readonly kind: "listing";
      /** The path of the document. */
      readonly path: string;
      /** Paths as in the layer. A listed file may be missing. */
      readonly files: readonly string[];
      /** Folders of applications that use the listed files, as members of a workspace do. An application there counts if any of the files has a package. */
      readonly members?: readonly string[];
    }
  /**
   * A symbolic link by which a package manager installs the application in a folder: a member of a workspace in `node_modules`. The folder may be in any
   * layer, and be reached by other links.
   */
  | {
      readonly kind: "link";
      /** The path of the link. It counts as long as it is in the finished image. */
      readonly path: string;
      readonly target: string;
      /** Set if the link leads to a folder of such folders: `node_modules/@scope`. */
      readonly toPackages?: true;
      /** Set if the link leads to the file that describes the application: `node_modules/a/package.json`. */
      readonly toFile?: true;
      /** The file of the layer, if the link is in an archive. */
      readonly file?: string;
    }
  /** What a lock file in an image lists. Its packages are not installed by it, but it is explained if they are found. */
  | {
      readonly kind: "locked";
      readonly path: string;
      /** Some of its packages that are not only for development: `name@version`, normalized; of other lists as the detector writes them. */
      readonly packages: readonly string[];
      /** Set if the file says of some packages that they are only for development. */
      readonly marksDevelopment?: true;
      /** Set if the file says of each package whether an installation for production has it: all of `packages` have to be found. */
      readonly isExact?: true;
      /** Set if `packages` are all of them. */
      readonly isWhole?: true;
      /**
       * The members of a workspace that need any of the packages, if the file says which need what. Only those members count whose descriptions are in the finished
       * image.
       */
      readonly members?: readonly {
        /** The path of the file that describes the member. */
        readonly path: string;
        /** As `packages` of the whole file. */
        readonly packages: readonly string[];
      }[];
    }
  /**
   * What a project needs to run, by the file in which its authors state it. It tells which packages of a lock file in the same folder have to be installed in any case,
   * where the lock file does not, and all that have to be if the file, or any of a workspace, states too what is only for development.
   */
  | {
      readonly kind: "needs";
      readonly path: string;
      readonly packages: UnassessedKind;
      /** The names of the packages that are needed in any case. */
      readonly names: readonly string[];
      /** Set if the file states what is only for development. */
      readonly marksDevelopment?: true;
      /** Set if the file states nothing that is only for development or for a part that may be left out: then all that a lock file beside lists is for use. */
      readonly isAllForUse?: true;
      /** The name of the project, by which other members of its workspace need it. */
      readonly name?: string;
      /** The folders of the members of its workspace, relative to its own, as globs: `packages/*`. */
      readonly members?: readonly string[];
    }
  /**
   * Files that a package of the operating system owns, of those in which packages may be found. The engine makes it from the results of
   * `FileOwners`. The files may be in any layer.
   */
  | {
      readonly kind: "owned";
      /** The file that lists them. It counts as long as it is in the finished image. */
      readonly path: string;
      /** The name of the package. It owns the files if it is installed in the finished image. */
      readonly owner: string;
      /** The folder of the database that has to list the owner, with a slash at the end. Without it, any database of its kind may. */
      readonly databaseIn?: string;
      readonly files: readonly string[];
    }
  /** The files of a package by a list of its packaging system, for an engine with `files`. The engine makes it from the results of `FileLists`. */
  | {
      readonly kind: "files";
      /** The list. It counts as long as it is in the finished image. */
      readonly path: string;
      /** As those of `ListedFiles`. */
      readonly owner?: string;
      readonly version?: string;
      readonly arch?: string;
      readonly databaseIn?: string;
      readonly files: readonly string[];
      readonly digests?: readonly string[];
    }
  /**
   * A symbolic link of a layer that does not lead to a file of the layer, but to a folder or to another layer; or through which a file was read. The engine
   * makes it. Links to files that are read at their own paths are left out.
   */
  | {
      readonly kind: "symlink";
      readonly path: string;
      readonly target: string;
      /** Files that were read through the link: the paths of their contents by the paths through the link. */
      readonly read?: Readonly<Record<string, string>>;
      /** Set if it is a hard link to a file that the layer does not have: it is that file of the layers below, whatever replaces it later. */
      readonly isHard?: true;
    };

/** A finding of one kind. */
export type FindingOf<Kind extends Finding["kind"]> = Extract<Finding, { readonly kind: Kind }>;

// The kinds by name, for detectors and coalescers of the engine.
export type PackageFinding = FindingOf<"package">;
export type DetailsFinding = FindingOf<"details">;
export type DatabaseFinding = FindingOf<"database">;
export type DistributionFinding = FindingOf<"distribution">;
export type RepositoryFinding = FindingOf<"repository">;
export type ProblemFinding = FindingOf<"problem">;
export type EvidenceFinding = FindingOf<"evidence">;
export type OriginsFinding = FindingOf<"origins">;
export type LogFinding = FindingOf<"log">;
export type ListingFinding = FindingOf<"listing">;
export type LinkFinding = FindingOf<"link">;
export type LockedFinding = FindingOf<"locked">;
export type LockedMember = NonNullable<LockedFinding["members"]>[number];
export type NeedsFinding = FindingOf<"needs">;
export type FilesFinding = FindingOf<"files">;
export type OwnedFinding = FindingOf<"owned">;
export type SymlinkFinding = FindingOf<"symlink">;

/** Packages by the name of the repository from which they were installed. */
export type PackageOrigins = OriginsFinding["packages"];
