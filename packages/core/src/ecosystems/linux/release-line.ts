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
import { present } from "./present.ts";
import { findCpe, findIdentifier, type ReadRelease } from "./release.ts";
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
