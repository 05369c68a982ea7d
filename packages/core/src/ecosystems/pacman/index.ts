/**
 * The description of an installed package: `var/lib/pacman/local/NAME-VERSION/desc`.
 *
 * ```
 * description = {"%" KEYWORD "%" line-end {value line-end} line-end}
 * ```
 * The detector uses `NAME`, `VERSION`, `BASE` (the source package, of the same version) and `ARCH`; for details `LICENSE`, `DESC`, `URL`, `PACKAGER`, `DEPENDS`,
 * `OPTDEPENDS` and `PROVIDES`.
 *
 * @see https://gitlab.archlinux.org/pacman/pacman/-/blob/master/lib/libalpm/be_local.c
 */
import { allDistributions } from "../../distributions/all.ts";
import { advisoryKeys, isAnyOf } from "../../distributions/shared/keys.ts";
import { coalesceRecords } from "../../index/coalesce-records.ts";
import { dependenciesByName } from "../../index/named-dependencies.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { PackageDetails } from "../../model/package-details.ts";
import type { DependencyResolver } from "../../plugins/coalescer.ts";
import type {
  DetectOptions,
  FileDetector,
  FileEntry,
  FileLists,
  FileOwners,
  LayerFile,
} from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { decodeHead } from "../language/head.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { meetsIn, providedBy, type Relation } from "../linux/relations.ts";
import { decodeText, isPlain, ownText, quoted } from "../linux/text.ts";
import { thirdPartyOfPackager } from "../linux/vendors.ts";
import { pacmanEvidence } from "./evidence.ts";
import { compare, pacmanVersions, valid } from "./version.ts";

const databasePlace = /^var\/lib\/pacman\/local\/[^/]+\/desc$/;

/** Finds the installed packages of pacman, by their descriptions. */
const pacmanDetector: FileDetector = {
  name: "pacman-local",
  revision: 4,
  names: { endings: ["/desc"] },
  wants: ({ path }: FileEntry) => path.endsWith("/desc") && databasePlace.test(path),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const values = parseDescription(file.bytes);
    const [name, version, base, arch] = ["NAME", "VERSION", "BASE", "ARCH"].map((key) => values.get(key)?.[0]);
    if (name === undefined || version === undefined) {
      yield unreadable(file.path, "expected the name and version of a package, found none");
      return;
    }
    const found = provenPackage(file, {
      name,
      version,
      arch: arch === undefined ? undefined : ownText(arch),
      details: details ? detailsOf(values) : undefined,
    });
    if (found.kind !== "package") yield found;
    else if (!isPlain(base ?? "")) yield unreadable(file.path, `expected a short word, found ${quoted(base ?? "")}`);
    else
      yield {
        ...found,
        thirdParty: thirdPartyOfPackager(values.get("PACKAGER")?.[0]),
        package: { ...found.package, source: { name: base ?? name, version, kind: "SOURCE" } },
      };
  },
};

/** The bytes that are read. The needed keywords come first, before dependencies. */
const headBytes = 256 * 1024;
const keyword = /^%([A-Z0-9]+)%$/;

/** Parses the values of each keyword. */
function parseDescription(bytes: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  let last: string[] | undefined;
  for (const line of decodeHead(bytes, headBytes).split("\n")) {
    const found = keyword.exec(line)?.[1];
    if (found !== undefined && !values.has(found)) {
      last = [];
      values.set(found, last);
    } else if (found !== undefined || line.trim() === "") last = undefined;
    else last?.push(line.trim());
  }
  return values;
}

/** Names of Arch Linux from before SPDX that allow later versions; `GPL2` does not. @see https://wiki.archlinux.org/title/PKGBUILD#license */
const ofArch: ReadonlyMap<string, string> = new Map([
  ["AGPL3", "AGPL-3.0-or-later"],
  ["GPL3", "GPL-3.0-or-later"],
  ["LGPL3", "LGPL-3.0-or-later"],
]);

/** Several licences all apply. @see https://wiki.archlinux.org/title/PKGBUILD#license */
function detailsOf(values: ReadonlyMap<string, readonly string[]>): PackageDetails {
  const all = (name: string) => (values.get(name) ?? []).map(ownText);
  return {
    licenses: all("LICENSE").map((text) => ({ text, expression: ofArch.get(text) })),
    supplier: all("PACKAGER")[0],
    description: all("DESC")[0],
    homepage: all("URL")[0],
    requires: all("DEPENDS"),
    recommends: all("OPTDEPENDS"),
    provides: all("PROVIDES"),
  };
}

/** `glibc>=2.38`, `libz.so=1-64` and `bash: to run scripts`. */
function parseRelation(text: string): Relation {
  const [, name = text, order = "", version = ""] =
    /^([^<>=:]{1,256})([<>=]{0,2})([^:\s]{0,256}(?::\d[^:\s]{0,256})?)/.exec(text) ?? [];
  return { name, order, version };
}

const meetsVersion = meetsIn({ compare, valid });

/** A missing release is any. @see https://man.archlinux.org/man/vercmp.8 */
function meets(provided: Relation, needed: Relation): boolean {
  const version = needed.version.includes("-") ? provided.version : provided.version.replace(/-[^-]*$/, "");
  return meetsVersion({ ...provided, version }, needed);
}

/** Finds what packages of pacman need, by names and what they provide. */
const pacmanDependencies: DependencyResolver = (packages, image) => {
  const { namesOf, provides } = providedBy({ parse: parseRelation, meets });
  return dependenciesByName({
    namesIn: (need) => [parseRelation(need).name],
    namesOf,
    accepts: (found, need) => provides(found, parseRelation(need)),
  })(packages, image);
};

const distributions = allDistributions.filter(({ packaging }) => packaging === "pacman");

/** Judges the packages of Arch Linux. */
const archMatcher: Matcher = distributionMatcher({
  name: "arch",
  keysRevision: 1,
  ecosystemsOf: advisoryKeys(distributions),
  isFor: isAnyOf(distributions),
  namesSources: () => false,
  hasReleases: true,
  subjectOf: (found, kind) => plainSubject(found, kind, pacmanVersions),
  scopeOf: () => sameScope,
});

const place = /^var\/lib\/pacman\/local\/([^/]+)-[^-/]+-[^-/]+\/files$/;

/** Lists the files that packages of pacman own, from each package's list beside its description. */
const pacmanOwners: FileOwners = {
  name: "pacman-owners",
  revision: 2,
  names: { endings: ["/files"] },
  wants: ({ path }) => path.endsWith("/files") && place.test(path),
  *owners(files) {
    for (const { path, bytes } of files) {
      const owner = place.exec(path)?.[1];
      if (owner !== undefined) yield { paths: [...listedFiles(decodeText(bytes))], owner, listedIn: path };
    }
  },
};

/** The files of packages of pacman. Their digests are in a compressed file, which is not read. */
const pacmanFileLists: FileLists = {
  name: "pacman-file-lists",
  revision: 1,
  names: { endings: ["/files"] },
  wants: pacmanOwners.wants,
  *lists(files) {
    for (const { path, bytes } of files) {
      const names = [...listedFiles(decodeText(bytes))].map(ownText);
      yield { listedIn: path, databaseIn: path.slice(0, -"files".length), files: names };
    }
  },
};

/** The files from `%FILES%` to the next blank line, without folders, which end with a slash. */
function* listedFiles(text: string): Iterable<string> {
  let isListing = false;
  for (const line of text.split("\n")) {
    if (line === "%FILES%") isListing = true;
    else if (line === "") isListing = false;
    else if (isListing && !line.endsWith("/")) yield line;
  }
}

/** Packages of pacman: Arch Linux and its derivatives. */
export const pacman: Ecosystem = {
  name: "pacman",
  detectors: [],
  fileDetectors: [pacmanDetector],
  fileOwners: [pacmanOwners],
  fileLists: [pacmanFileLists],
  evidence: pacmanEvidence,
  matchers: [archMatcher],
  purl: ["alpm"],
  versions: pacmanVersions,
  coalesce: coalesceRecords("pacman"),
  dependencies: pacmanDependencies,
  assesses: ["pacman"],
};
