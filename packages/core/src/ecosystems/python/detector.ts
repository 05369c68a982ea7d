import { decodeBase64 } from "../../bytes/base64.ts";
import { joinPath, normalizePath, parentOf } from "../../layer/paths.ts";
import { packageDetails } from "../../model/package-details.ts";
import type { DetectOptions, FileDetector, FileEntry, FileLists, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { hexOf } from "../../xz/checks.ts";
import { decodeHead } from "../language/head.ts";
import { headerLines } from "../language/header-fields.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { decodeText, ownText } from "../linux/text.ts";
import { metadataDetails, parseMetadata } from "./metadata.ts";

/**
 * The metadata of an installed distribution: from a wheel, from setuptools in an egg or beside it, or one file from distutils. Installers that bundle
 * programs rename the folder of a wheel, or copy one file of it.
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/
 * @see https://setuptools.pypa.io/en/latest/deprecated/python_eggs.html
 */
const places = /(?:\.(?:dist|egg)-info\/(?:METADATA|PKG-INFO)|\.egg\/EGG-INFO\/PKG-INFO|\.egg-info)$/;

/** Finds installed Python packages. */
export const pythonDetector: FileDetector = {
  name: "python-metadata",
  revision: 8,
  names: { endings: ["/METADATA", "/PKG-INFO", ".egg-info"] },
  wants: ({ path }: FileEntry) => places.test(path),
  readsBelow: (path) => (/\.(?:dist|egg)-info$/.test(path) ? ["METADATA", "PKG-INFO"] : []),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const lines = headerLines(file.bytes);
    const { name, version = "" } = parseMetadata(lines);
    if (name === undefined) yield unreadable(file.path, "expected the name of a Python package, found none");
    else yield provenPackage(file, { name, version, details: details ? metadataDetails(lines, file.path) : undefined });
  },
};

/**
 * Reads what an egg needs, by sections:
 *
 * ```
 * file = {requirement line-end} {"[" [extra] [":" marker] "]" line-end {requirement line-end}}
 * ```
 * @see https://setuptools.pypa.io/en/latest/deprecated/python_eggs.html#requires-txt
 */
export const eggRequiresDetector: FileDetector = {
  name: "python-egg-requires",
  revision: 2,
  names: { endings: ["/requires.txt"] },
  wants: ({ path }: FileEntry) => requiresFile.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const requires: string[] = [];
    let section = "";
    for (const line of decodeHead(bytes, 64 * 1024)
      .split("\n")
      .map((each) => each.trim())) {
      if (line.startsWith("[")) section = line.slice(1, -1);
      else if (line !== "" && section === "") requires.push(line);
      else if (line !== "") requires.push(`${line}; ${markerOf(section)}`);
    }
    const details = packageDetails({ requires });
    if (details !== undefined) yield { kind: "details", path, of: joinPath(parentOf(path), "PKG-INFO"), details };
  },
};

/** The marker of a section: `socks:python_version < "3"` is of an extra. */
function markerOf(section: string): string {
  const colon = section.indexOf(":");
  const [extra, marker] = colon < 0 ? [section, ""] : [section.slice(0, colon), section.slice(colon + 1)];
  const ofExtra = extra === "" ? [] : [`extra == "${extra.trim()}"`];
  return [...ofExtra, ...(marker.trim() === "" ? [] : [`(${marker})`])].join(" and ");
}

const requiresFile = /\.(?:egg-info|egg\/EGG-INFO)\/requires\.txt$/;

const record = /\.dist-info\/RECORD$/;

/**
 * The files of installed distributions, with their digests:
 *
 * ```
 * RECORD = {path "," [algorithm "=" base64url] "," [size] line-end}      the path is relative to the folder of the packages
 * ```
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/#the-record-file
 */
export const pythonFileLists: FileLists = {
  name: "python-file-lists",
  revision: 1,
  names: { endings: ["/RECORD"] },
  wants: ({ path }) => record.test(path),
  *lists(all) {
    for (const { path: listedIn, bytes } of all) {
      const folder = parentOf(listedIn);
      const [files, digests]: [string[], string[]] = [[], []];
      for (const line of decodeText(bytes).split("\n")) {
        const [, quoted, plain, digest = ""] = /^(?:"([^"]*)"|([^",]+)),([^,]*),[0-9]*$/.exec(line.trim()) ?? [];
        const path = inFolder(parentOf(folder), ownText(quoted ?? plain ?? ""));
        if (path === undefined) continue;
        files.push(path);
        digests.push(digestIn(digest));
      }
      yield { listedIn, databaseIn: `${folder}/`, files, digests };
    }
  },
};

/** A path relative to a folder; undefined for one that leads out of the image. */
function inFolder(folder: string, path: string): string | undefined {
  return path === "" ? undefined : normalizePath(path.startsWith("/") ? path.slice(1) : joinPath(folder, path));
}

function digestIn(text: string): string {
  const [name = "", coded = ""] = text.split("=", 2);
  const bytes = decodeBase64(
    `${coded.replaceAll("-", "+").replaceAll("_", "/")}${"=".repeat((4 - (coded.length % 4)) % 4)}`,
  );
  return bytes === undefined || bytes.length !== digestBytes[name] ? "" : `${name}:${hexOf(bytes)}`;
}

const digestBytes: Readonly<Record<string, number | undefined>> = { sha256: 32, sha384: 48, sha512: 64 };

const archive = /\.(?:egg|pex|pyzw?|whl)$/i;

/**
 * Opens archives with packages of Python: wheels, eggs, and programs with the packages that they need, as zipapp, pex and shiv write them. Such
 * a program has any name.
 * @see https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 * @see https://docs.python.org/3/library/zipapp.html
 */
export const pythonArchiveDetector: FileDetector = {
  name: "python-archive",
  revision: 2,
  opens: { packages: "python" },
  programs: "zipapp",
  names: { endings: [".egg", ".pex", ".pyz", ".pyzw", ".whl"] },
  wants: ({ path }: FileEntry) => archive.test(path),
  detect: () => [],
};
