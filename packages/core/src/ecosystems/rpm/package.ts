import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { FoundPackage } from "../../model/package.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { readFileList } from "./file-list.ts";
import { decodeHeader, headerBytes, headerNumber, headerString, type RpmHeader } from "./header.ts";
import type { RpmRecord } from "./record.ts";
import { parseSourceRpm } from "./source-rpm.ts";
import { rpmTags } from "./tags.ts";

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
  /** rpm's number for the installed package (`hnum`). */
  readonly recordNumber: number;
  /** The MD5 digest of the package file's header and payload, in hex. */
  readonly sigmd5?: string;
  /** The paths that the package owns, without a leading slash. @throws ScanError `malformed_package_db` */
  files(): Iterable<string>;
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
  };
}

/**
 * The package in the form of a finding. The file name of a source package has no epoch. The source gets the binary's epoch
 * if version and release are equal, otherwise none.
 */
export function toFoundPackage(rpm: RpmPackage): FoundPackage {
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
