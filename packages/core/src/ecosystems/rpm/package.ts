import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import type { FoundPackage } from "../../model/package.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import {
  decodeHeader,
  headerBytes,
  headerNumber,
  headerNumbers,
  headerString,
  headerStrings,
  type RpmHeader,
} from "./header.ts";
import type { RpmRecord } from "./record.ts";

/** An installed rpm, from its header. Values that rpm prints as `(none)` are absent. */
export interface RpmPackage {
  readonly name: string;
  /** Absent and 0 compare equal. */
  readonly epoch?: number;
  readonly version: string;
  readonly release: string;
  /** `[epoch:]version-release`; without an epoch of 0. */
  readonly evr: string;
  readonly arch?: string;
  /** The file name of the source package: `perl-5.26.3-419.el8.src.rpm`. */
  readonly sourcerpm?: string;
  /** `name:stream:version:context`. */
  readonly modularityLabel?: string;
  readonly vendor?: string;
  readonly license?: string;
  readonly packager?: string;
  readonly url?: string;
  readonly summary?: string;
  /** rpm's number for the installed package (`hnum`). */
  readonly recordNumber: number;
  /** The MD5 digest of the package file's header and payload, in hex. */
  readonly sigmd5?: string;
  /** The paths that the package owns, without a leading slash. @throws ScanError `malformed_package_db` */
  files(): Iterable<string>;
  /** The digests of {@link files}, as `sha256:` and hex digits; empty for folders and links. @throws ScanError `malformed_package_db` */
  digests(): readonly string[];
  /** @internal */
  needs(): RpmNeeds;
  /** Those of the paths, which begin with a slash, that the package owns. @internal */
  owned(paths: ReadonlySet<string>): readonly string[];
}

/** What a package needs and provides: names of packages, capabilities and paths: `bash >= 5`, `libc.so.6()(64bit)`, `/bin/sh`. */
interface RpmNeeds {
  /** Undefined if the list is damaged. */
  readonly requires?: readonly string[];
  readonly recommends: readonly string[];
  readonly provides: readonly string[];
  /** The paths of its programs, by which others need it without that it says that it provides them. */
  readonly programs: readonly string[];
}

const md5Bytes = 16;

/**
 * Decodes the header of a record.
 * @throws ScanError `malformed_package_db` if the header is damaged or lacks name, version or release
 */
export function decodeRpmPackage({ recordNumber, blob }: RpmRecord): RpmPackage {
  const header = decodeHeader(blob);
  const name = requiredText(header, "name");
  const version = requiredText(header, "version");
  const release = requiredText(header, "release");
  const epoch = headerNumber(header, rpmTags.epoch);
  const optional = {
    epoch,
    arch: findText(header, "arch"),
    sourcerpm: findText(header, "sourceRpm"),
    modularityLabel: findText(header, "modularityLabel"),
    vendor: findText(header, "vendor"),
    license: findText(header, "license"),
    packager: findText(header, "packager"),
    url: findText(header, "url"),
    summary: findText(header, "summary"),
    sigmd5: formatMd5(headerBytes(header, rpmTags.sigMd5)),
  };
  const evr = formatEvr(epoch, `${version}-${release}`);
  return {
    name,
    version,
    release,
    evr,
    recordNumber,
    ...withoutUndefined(optional),
    files: () => readFileList(header),
    digests: () => readDigests(header),
    needs: () => ({
      requires: ifSound(() => relationsIn(header, rpmTags.requireName)),
      recommends: ifSound(() => relationsIn(header, rpmTags.recommendName)) ?? [],
      provides: ifSound(() => relationsIn(header, rpmTags.provideName)) ?? [],
      programs: ifSound(() => programsIn(header)) ?? [],
    }),
    owned: (paths) => ifSound(() => pathsIn(header, foldersOf(paths), (path) => paths.has(path))) ?? [],
  };
}

/** The value, or undefined for a damaged list: the package is there all the same. */
function ifSound<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

/** The tags of the flags and of the versions of each list of relations. */
const relationTags: ReadonlyMap<number, readonly [flags: number, versions: number]> = new Map([
  [1049, [1048, 1050]], // requires
  [1047, [1112, 1113]], // provides
  [5046, [5048, 5047]], // recommends
]);

const versionFlags = 0b1110;

/** The relations of a list: `bash`, `glibc >= 2.38`. */
function relationsIn(header: RpmHeader, tag: number): readonly string[] {
  const names = headerStrings(header, tag) ?? [];
  const [flagsTag = 0, versionsTag = 0] = relationTags.get(tag) ?? [];
  const flags = headerNumbers(header, flagsTag) ?? [];
  const last = flags.findLastIndex((each) => (each & versionFlags) !== 0);
  if (last < 0) return names;
  const versions = headerStrings(header, versionsTag) ?? [];
  return names.map((name, index) => {
    const version = index > last ? "" : (versions[index] ?? "");
    const order = version === "" ? "" : orderIn(flags[index] ?? 0);
    return order === "" ? name : `${name} ${order} ${version}`;
  });
}

/** @see https://github.com/rpm-software-management/rpm/blob/rpm-4.18.0-release/include/rpm/rpmds.h */
function orderIn(flags: number): string {
  return `${(flags & 2) === 0 ? "" : "<"}${(flags & 4) === 0 ? "" : ">"}${(flags & 8) === 0 ? "" : "="}`;
}

const programFolder = /^\/?(?:usr\/)?s?bin\/$/;

/** Whether a path is one by which others need a program without that its package says that it provides it. */
export function isProgram(path: string): boolean {
  return programFolder.test(folderOf(path));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function foldersOf(paths: ReadonlySet<string>): (folder: string) => boolean {
  const folders = new Set(Array.from(paths, folderOf));
  return (folder) => folders.has(folder);
}

const programsIn = (header: RpmHeader) => pathsIn(header, (folder) => programFolder.test(folder), isProgram);

/**
 * The wanted paths of a package, each with a slash before it. Most packages have none of the folders: the names of their files are then not decoded,
 * which are by far the most of a header.
 */
function pathsIn(
  header: RpmHeader,
  isFolder: (folder: string) => boolean,
  isWanted: (path: string) => boolean,
): readonly string[] {
  const folders = headerStrings(header, rpmTags.dirNames);
  if (folders?.some(isFolder) === false) return [];
  return Array.from(readFileList(header), (path) => `/${path}`).filter(isWanted);
}

/**
 * The package in the form of a finding. The file name of a source package has no epoch. The source gets the binary's epoch
 * if version and release are equal, otherwise none.
 */
export function toFoundPackage(
  rpm: Pick<RpmPackage, "name" | "version" | "release" | "evr" | "arch" | "sourcerpm" | "modularityLabel">,
): FoundPackage {
  const source = rpm.sourcerpm === undefined ? undefined : parseSourceRpm(rpm.sourcerpm);
  const sameVersion = source?.version === `${rpm.version}-${rpm.release}`;
  const optional = {
    arch: rpm.arch,
    module: findModule(rpm.modularityLabel),
    source: source && { ...source, version: sameVersion ? rpm.evr : source.version, kind: "SOURCE" as const },
  };
  return { name: rpm.name, version: rpm.evr, kind: "BINARY", ...withoutUndefined(optional) };
}

/** `name:stream` of a modularity label; undefined for a label with fewer than two colons. */
function findModule(label: string | undefined): string | undefined {
  const [name, stream, version] = label?.split(":") ?? [];
  return version === undefined ? undefined : `${name}:${stream}`;
}

function requiredText(header: RpmHeader, name: "name" | "version" | "release"): string {
  const text = headerString(header, rpmTags[name]);
  if (text === undefined || text === "") throw malformedPackageDb(`the header has no ${name}`);
  return text;
}

function findText(header: RpmHeader, name: keyof typeof rpmTags): string | undefined {
  const text = headerString(header, rpmTags[name]);
  return text === "" || text === "(none)" ? undefined : text;
}

/** Formats `[epoch:]version-release`, without an epoch of 0. */
export function formatEvr(epoch: number | undefined, versionRelease: string): string {
  return epoch === undefined || epoch === 0 ? versionRelease : `${epoch}:${versionRelease}`;
}

function formatMd5(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length !== md5Bytes)
    throw malformedPackageDb(`expected an MD5 of ${md5Bytes} bytes, found ${bytes.length}`);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The source package of a binary. */
interface SourceRpm {
  readonly name: string;
  /** `version-release`; never with an epoch. */
  readonly version: string;
}

/** Parses `name-version-release.src.rpm` (or `.nosrc.rpm`) at its last two hyphens; undefined for other texts. */
export function parseSourceRpm(fileName: string): SourceRpm | undefined {
  const match = /^(?<name>.+)-(?<version>[^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(fileName);
  const { name, version } = match?.groups ?? {};
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** The largest length of a folder or file name; Linux allows no longer path. */
const maxNameLength = 4096;

/**
 * Reads the paths that a package owns, without a leading slash as in layers. Path i is
 * `dirnames[dirindexes[i]] + basenames[i]`; rpm 3 and older stored whole paths.
 * @throws ScanError `malformed_package_db` if the lists do not fit together
 */
export function* readFileList(header: RpmHeader): Generator<string> {
  const baseNames = headerStrings(header, rpmTags.baseNames);
  if (baseNames === undefined) {
    for (const path of headerStrings(header, rpmTags.oldFilenames) ?? []) yield layerPath("", path);
    return;
  }
  const folders = headerStrings(header, rpmTags.dirNames) ?? [];
  const indexes = headerNumbers(header, rpmTags.dirIndexes) ?? [];
  if (indexes.length !== baseNames.length) {
    throw malformedPackageDb(`expected a folder for each of ${baseNames.length} files, found ${indexes.length}`);
  }
  for (const [position, index] of indexes.entries()) {
    const folder = folders[index];
    if (folder === undefined)
      throw malformedPackageDb(`expected one of ${folders.length} folders, found index ${index}`);
    yield layerPath(folder, baseNames[position] ?? "");
  }
}

/**
 * The names of the algorithms of digests of files that rpm uses, by the numbers of OpenPGP. Before it stated a number, it used MD5.
 * @see https://www.rfc-editor.org/rfc/rfc4880#section-9.4
 */
const digestNames: ReadonlyMap<number, readonly [name: string, hexDigits: number]> = new Map([
  [1, ["md5", 32]],
  [2, ["sha1", 40]],
  [8, ["sha256", 64]],
  [9, ["sha384", 96]],
  [10, ["sha512", 128]],
]);

function readDigests(header: RpmHeader): readonly string[] {
  const [name, hexDigits] = digestNames.get(headerNumber(header, rpmTags.fileDigestAlgorithm) ?? 1) ?? ["", 0];
  const stated = headerStrings(header, rpmTags.fileDigests) ?? [];
  return stated.map((hex) =>
    hexDigits > 0 && hex.length === hexDigits && /^[0-9a-f]+$/.test(hex) ? `${name}:${hex}` : "",
  );
}

function layerPath(folder: string, name: string): string {
  if (folder.length > maxNameLength || name.length > maxNameLength) {
    throw malformedPackageDb(`expected names of at most ${maxNameLength} characters`);
  }
  return `${folder}${name}`.replace(/^\/+/, "");
}

/**
 * The header tags that are read, with rpm's numbers.
 * @see https://github.com/rpm-software-management/rpm/blob/rpm-4.18.0-release/include/rpm/rpmtag.h
 */
const rpmTags = {
  sigMd5: 261,
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  summary: 1004,
  vendor: 1011,
  license: 1014,
  packager: 1015,
  url: 1020,
  arch: 1022,
  /** Whole paths, in packages of rpm 3 and older. */
  oldFilenames: 1027,
  fileDigests: 1035,
  sourceRpm: 1044,
  provideName: 1047,
  requireName: 1049,
  dirIndexes: 1116,
  baseNames: 1117,
  dirNames: 1118,
  fileDigestAlgorithm: 5011,
  recommendName: 5046,
  modularityLabel: 5096,
} as const;
