/**
 * Release files with human-readable text.
 *
 * ```
 * redhat-release and similar  = name ["release"] version [" (" code-name ")"]
 * SuSE-release                = name version [" (" arch ")"] {line-end ("VERSION" | "PATCHLEVEL" | "CODENAME") " = " value}
 * debian_version              = version | code-name "/sid"
 * alpine-release              = version
 * issue                       = lines with ["Welcome to "] name version among others
 * ```
 */
import { findCpeDistribution, findNamedDistribution } from "../../distributions/shared/find.ts";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { type Assignments, parseAssignments } from "./assignments.ts";
import { type FileProblems, mergeProblems, noteProblem } from "./file-problems.ts";
import { present } from "./present.ts";
import { findCpe, findIdentifier, findLabel, type ReadRelease } from "./release.ts";
import { decodeText, isPlain } from "./text.ts";

const maxReadBytes = 4096;

/** Reads `CentOS release 5.11 (Final)` and similar lines. */
export const readReleaseLine: ReadRelease = (bytes) => findNamed(linesOf(bytes)[0] ?? "");

/** Reads `SuSE-release`. The patch level is a part of the version, but missing in the first line. */
export const readSuseRelease: ReadRelease = (bytes, problems) => {
  const [line = "", ...rest] = linesOf(bytes);
  const named = findNamed(line);
  if (named === undefined) return undefined;
  const { version: _withArch, versionId = "", ...release } = named;
  const values = new Map(rest.map(assignmentOf));
  const version = values.get("VERSION") ?? versionId;
  const patchLevel = values.get("PATCHLEVEL") ?? "0";
  const full = version === "" || patchLevel === "0" ? version : `${version}.${patchLevel}`;
  return {
    ...release,
    ...present("versionId", findIdentifier("VERSION", full, problems)),
    ...present("versionCodeName", findIdentifier("CODENAME", values.get("CODENAME"), problems)),
  };
};

function assignmentOf(line: string): [name: string, value: string] {
  const equals = line.indexOf("=");
  return [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
}

/** Reads `12.15`, or `trixie/sid` before a release. The version id is the first number. */
export const readDebianVersion: ReadRelease = (bytes) => {
  const [line = ""] = linesOf(bytes);
  const release: Release = { did: "debian", name: "Debian GNU/Linux" };
  const [, codeName] = /^([a-z]+)\/sid$/.exec(line) ?? [];
  if (codeName !== undefined) return { ...release, versionCodeName: codeName };
  const [, major] = /^(\d+)(?:\.\d+)*$/.exec(line) ?? [];
  return major === undefined ? undefined : { ...release, version: line, versionId: major };
};

/** Reads `3.20.3`. */
export const readAlpineRelease: ReadRelease = (bytes, problems) => {
  const [line = ""] = linesOf(bytes);
  const versionId = findIdentifier("the version", line, problems);
  return versionId === undefined ? undefined : { did: "alpine", name: "Alpine Linux", versionId };
};

/** Reads a CPE name. */
export const readReleaseCpe: ReadRelease = (bytes, problems) => {
  const [line = ""] = linesOf(bytes);
  const cpe = findCpe("the line", line, problems);
  const product = findCpeDistribution(cpe ?? "");
  if (cpe === undefined || product === undefined) return undefined;
  return { did: product.did, cpe, ...present("versionId", findIdentifier("the version", product.version, problems)) };
};

/** Reads the greeting before a login. Users may edit it, so only name and number are used. */
export const readIssue: ReadRelease = (bytes) => {
  for (const line of linesOf(bytes)) {
    const { did, name, versionId } = findNamed(line.replace(/^Welcome to /, "")) ?? {};
    if (did === undefined) continue;
    if (did === "alpine" && line.includes("(edge)"))
      return { did, ...present("name", name), prettyName: `${name} edge` };
    if (versionId !== undefined) return { did, ...present("name", name), versionId };
  }
  return undefined;
};

/** The lines of a short file, without empty ones and those that are too long or have control characters. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = decodeText(bytes.subarray(0, maxReadBytes)).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "" && isPlain(line));
}

/** Reads `name ["release"] version …`. */
function findNamed(line: string): Release | undefined {
  const product = findNamedDistribution(line);
  if (product === undefined) return undefined;
  const { index, 0: versionId = "" } = /\d+(?:\.\d+)*/.exec(line) ?? { index: line.length };
  const words = line.slice(0, index).trim().split(/\s+/);
  const name = words.at(-1) === "release" ? words.slice(0, -1) : words;
  return {
    did: product.did,
    name: name.join(" "),
    ...present("version", line.slice(index)),
    ...present("versionId", versionId),
    prettyName: line,
  };
}

/** One kind of files that name the distribution of an image. */
interface ReleaseFileKind {
  readonly read: ReadRelease;
  readonly paths: readonly string[];
}

/**
 * The kinds of release files, most reliable first: files with identifiers, then files of one distribution, then files that derivatives copy
 * (Oracle ships a `redhat-release` with Red Hat's name, Ubuntu a `debian_version`), then files that users may edit.
 */
export const releaseFileKinds: readonly ReleaseFileKind[] = [
  {
    read: readOsRelease,
    paths: [
      "etc/os-release",
      "usr/lib/os-release",
      "aarch64-bottlerocket-linux-gnu/sys-root/usr/lib/os-release",
      "x86_64-bottlerocket-linux-gnu/sys-root/usr/lib/os-release",
    ],
  },
  { read: readLsbRelease, paths: ["etc/lsb-release", "etc/openwrt_release"] },
  { read: readAlpineRelease, paths: ["etc/alpine-release"] },
  { read: readSuseRelease, paths: ["etc/SuSE-release"] },
  {
    read: readReleaseLine,
    paths: [
      "etc/oracle-release",
      "etc/enterprise-release",
      "etc/almalinux-release",
      "etc/anolis-release",
      "etc/azurelinux-release",
      "etc/centos-release",
      "etc/fedora-release",
      "usr/lib/fedora-release",
      "etc/mariner-release",
      "etc/openEuler-release",
      "etc/photon-release",
      "etc/rocky-release",
      "etc/redhat-release",
      "etc/system-release",
      "usr/lib/system-release",
    ],
  },
  { read: readReleaseCpe, paths: ["etc/system-release-cpe", "usr/lib/system-release-cpe"] },
  { read: readDebianVersion, paths: ["etc/debian_version"] },
  { read: readIssue, paths: ["etc/issue"] },
];

const releasePaths: ReadonlySet<string> = new Set(["etc/os-release", "usr/lib/os-release"]);

/**
 * Whether a path is that of `os-release`. The root of an installed system has this file, a folder of source code does not.
 * @example
 * isOsRelease("etc/os-release"); // true
 */
export function isOsRelease(path: string): boolean {
  return releasePaths.has(path);
}

/**
 * Reads the release in an lsb-release file, with lines in any order. Undefined without `DISTRIB_ID`, because many of these files have only
 * the version of the LSB.
 * @see https://refspecs.linuxfoundation.org/LSB_3.0.0/LSB-PDA/LSB-PDA/lsbrelease.html
 */
function readLsbRelease(bytes: Uint8Array, problems: FileProblems): Release | undefined {
  const { values, problems: lines } = parseAssignments(bytes);
  mergeProblems(problems, lines);
  const name = values.get("DISTRIB_ID")?.trim();
  const did =
    name === undefined ? undefined : (findNamedDistribution(name)?.did ?? findIdentifier("DISTRIB_ID", name, problems));
  if (did === undefined) return undefined;
  const number = values.get("DISTRIB_RELEASE") ?? "";
  return {
    did,
    ...present("name", findLabel("DISTRIB_ID", name, problems)),
    ...present("versionId", /^\d/.test(number) ? findIdentifier("DISTRIB_RELEASE", number, problems) : undefined),
    ...present("versionCodeName", findIdentifier("DISTRIB_CODENAME", values.get("DISTRIB_CODENAME"), problems)),
    ...present("prettyName", findLabel("DISTRIB_DESCRIPTION", values.get("DISTRIB_DESCRIPTION"), problems)),
  };
}

/** Parses the names and values of an os-release file. A malformed line, or a file of more than 1 MiB, becomes a problem. Never throws. */
export function parseOsRelease(bytes: Uint8Array): Assignments {
  return parseAssignments(bytes);
}

/**
 * Reads the release in an os-release file. Undefined for a file without a valid `ID`, with a problem unless the file is empty.
 * `REDHAT_BUGZILLA_PRODUCT`, if present, is the display name.
 * @see https://www.freedesktop.org/software/systemd/man/latest/os-release.html#Options
 */
function readOsRelease(bytes: Uint8Array, problems: FileProblems): Release | undefined {
  const { values, problems: lines } = parseOsRelease(bytes);
  mergeProblems(problems, lines);
  const identifier = (key: string) => findIdentifier(key, values.get(key), problems);
  const label = (key: string) => findLabel(key, values.get(key), problems);
  const did = identifier("ID");
  if (did === undefined) {
    if (values.size > 0 && !values.get("ID")) noteProblem(problems, 0, "expected an ID, found none");
    return undefined;
  }
  const release: Release = {
    did,
    ...present("like", wordsOf(values.get("ID_LIKE"))),
    ...present("name", label("NAME")),
    ...present("version", label("VERSION")),
    ...present("versionId", identifier("VERSION_ID")),
    ...present("prettyName", label("REDHAT_BUGZILLA_PRODUCT") || label("PRETTY_NAME")),
    ...present("cpe", findCpe("CPE_NAME", values.get("CPE_NAME"), problems)),
  };
  const codeName = identifier("VERSION_CODENAME") ?? findCodeName(release, values.get("UBUNTU_CODENAME"));
  return { ...release, ...present("versionCodeName", codeName) };
}

/**
 * The code name in a file without `VERSION_CODENAME`: Debian 8 writes `VERSION="8 (jessie)"`, testing before bookworm
 * `PRETTY_NAME="Debian GNU/Linux bullseye/sid"`, Ubuntu 16.04 `UBUNTU_CODENAME`.
 */
function findCodeName({ did, like = [], ...release }: Release, ubuntu = ""): string | undefined {
  if (did === "ubuntu") return /^[a-z]+$/.test(ubuntu) ? ubuntu : undefined;
  if (did !== "debian" && !like.includes("debian")) return undefined;
  const { version = "", versionId = "", prettyName = "" } = release;
  if (versionId === "") return / ([a-z]+)\/sid$/.exec(prettyName)?.[1];
  return version.startsWith(`${versionId} (`) ? /^\S+ \(([a-z]+)\)$/.exec(version)?.[1] : undefined;
}

function wordsOf(text = ""): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => /^[0-9a-z._-]{1,64}$/.test(word))
    .slice(0, 16);
}
