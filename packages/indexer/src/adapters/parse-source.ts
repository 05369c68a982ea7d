import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Bytes, fromArchiveStream, ScanError } from "@plimsoll/core";
import { type ImageSource, parseImageReference } from "@plimsoll/core/image";
import { fromArchive, fromDockerArchive, fromOciArchive } from "./archive/from-archive.ts";
import { fromOciDir } from "./archive/from-oci-dir.ts";
import { fromContainerd } from "./containerd/from-containerd.ts";
import type { EngineHosts } from "./engine/engine-address.ts";
import { type EngineOptions, fromDocker, fromPodman } from "./engine/from-engine.ts";
import { findFileKind, fromFile } from "./file/from-file.ts";
import { fromDir } from "./folder/from-dir.ts";
import { fromPurls } from "./list/from-purls.ts";
import { fromSbom } from "./list/from-sbom.ts";
import { readAttachedDocuments } from "./registry/attached-documents.ts";
import { fromRegistry, type RegistryOptions } from "./registry/from-registry.ts";

/** Options of {@link parseSource}. */
export interface ParseSourceOptions {
  readonly registry?: RegistryOptions;
  /** Finds the addresses of container engines. Default: their usual sockets. */
  readonly engines?: EngineHosts;
  /** The bytes that `-` stands for. */
  readonly standardInput?: Bytes;
}

/**
 * Parses a source that a user typed.
 *
 *     registry:REFERENCE | docker:IMAGE | podman:IMAGE | containerd:IMAGE | docker-archive:FILE[:ref] | oci-archive:FILE[:ref] | oci-dir:FOLDER[:ref]
 *     dir:FOLDER | file:FILE | sbom:FILE[@DIGEST] | sbom:- | purl:PURL | purl:FILE | pkg:…
 *     -       an archive from standard input
 *     WORD    see {@link sniffSource}
 *
 * A colon belongs to the path if such a file or folder exists.
 * @throws ScanError `unsupported_source`, `malformed_digest`
 * @example
 * const source = await parseSource("registry:nginx:1.27");
 */
export async function parseSource(text: string, options: ParseSourceOptions = {}): Promise<ImageSource> {
  if (text === "-") {
    if (options.standardInput !== undefined) return fromArchiveStream(options.standardInput);
    throw new ScanError("unsupported_source", "-: expected standard input, found none");
  }
  const [, kind = "", rest = ""] = /^([a-z-]+):(.+)$/s.exec(text) ?? [];
  switch (kind) {
    case "registry":
      return registrySource(rest, options.registry);
    case "docker":
    case "docker-daemon":
      return isPort(rest) ? sniffSource(text, options) : fromDocker(rest, engineOptions(options));
    case "podman":
    case "containers-storage":
      return isPort(rest) ? sniffSource(text, options) : fromPodman(rest, engineOptions(options));
    case "containerd":
      return isPort(rest) ? sniffSource(text, options) : fromContainerd(rest, engineOptions(options));
    case "docker-archive":
      return fromNamed(rest, fromDockerArchive);
    case "oci-archive":
      return fromNamed(rest, fromOciArchive);
    case "oci-dir":
      return fromNamed(rest, fromOciDir);
    case "dir":
      return fromDir(rest);
    case "file":
      return fromFile(rest);
    case "sbom":
      return fromSbom(rest, options);
    case "purl":
      return fromPurls(rest, options);
    case "pkg":
      return fromPurls(text, options);
    default:
      if ((await findKind(text)) === undefined) refuseOtherKind(kind, rest);
      return sniffSource(text, options);
  }
}

/** Whether the text after the colon is a port: a registry may have the name of a kind of source. */
function isPort(rest: string): boolean {
  return /^\d{1,5}\//.test(rest);
}

function engineOptions({ engines, registry }: ParseSourceOptions): EngineOptions {
  return { engines, offline: registry?.offline === true ? true : undefined };
}

/** The root of a file system has at least one of these folders. */
const rootFolders = ["etc", "usr", "var", "lib"];

/**
 * Detects the source that a word without a prefix means. An existing file is an SBOM, a package archive or a program by its first bytes,
 * and otherwise an image archive, as is a pipe. A folder is an OCI layout or a root file system. Any other word is an image in a
 * registry, unless it looks like the path of a missing file.
 * @throws ScanError `unsupported_source`, `not_found`, `malformed_digest`
 * @example
 * const source = await sniffSource("app.tar");
 */
export async function sniffSource(word: string, options: ParseSourceOptions = {}): Promise<ImageSource> {
  switch (await findKind(word)) {
    case "file":
      return sniffFile(word);
    case "pipe":
      return fromArchive(word);
    case "folder":
      return sniffFolder(word);
    default:
      refuseMissingFile(word);
      return registrySource(word, options.registry);
  }
}

async function sniffFile(path: string): Promise<ImageSource> {
  switch (await findFileKind(path)) {
    case "sbom":
      return fromSbom(path);
    case "file":
      return fromFile(path);
    case "archive":
      return fromArchive(path);
  }
}

async function sniffFolder(folder: string): Promise<ImageSource> {
  const has = async (name: string) => (await findKind(join(folder, name))) !== undefined;
  if ((await has("oci-layout")) || (await has("index.json"))) return fromOciDir(folder);
  for (const name of rootFolders) if (await has(name)) return fromDir(folder);
  const expected = `an OCI layout or the root of a file system (${rootFolders.join(", ")})`;
  throw new ScanError("unsupported_source", `${folder}: expected ${expected}; write dir:${folder} to read it anyway`);
}

async function fromNamed(
  text: string,
  source: (path: string, options: { readonly ref?: string }) => ImageSource,
): Promise<ImageSource> {
  for (let colon = text.length; colon > 0; colon = text.lastIndexOf(":", colon - 1)) {
    const [path, ref] = [text.slice(0, colon), text.slice(colon + 1)];
    if ((await findKind(path)) !== undefined) return source(path, ref === "" ? {} : { ref });
  }
  return source(text, {});
}

async function findKind(path: string): Promise<"file" | "pipe" | "folder" | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isFIFO()) return "pipe";
  return found.isDirectory() ? "folder" : "file";
}

/** The source of an image in a registry, with its attached documents. @throws ScanError `unsupported_source`, `malformed_digest` */
function registrySource(reference: string, options: RegistryOptions = {}): ImageSource {
  const parsed = parseImageReference(reference);
  return {
    ...fromRegistry(reference, options),
    readAttached: (digest, reading) => readAttachedDocuments(parsed, digest, { ...reading, registry: options }),
  };
}

/** Kinds of sources of other scanners that are not supported, with a remedy. */
const otherKinds: ReadonlyMap<string, string> = new Map([
  ["oci-layout", "an OCI layout in a folder is oci-dir:FOLDER"],
  ["singularity", "Singularity images are not read yet"],
  ["vm", "images of virtual machines are not read yet"],
]);

/** Suffixes that mark a word as the name of a file. */
const fileSuffixes = [".json", ".spdx", ".tar", ".tar.gz", ".tgz", ".xml"];

/**
 * Refuses a known but unsupported kind of source. The text after the colon may also be the port of a registry with that name.
 * @throws ScanError `unsupported_source`
 */
function refuseOtherKind(kind: string, rest: string): void {
  const remedy = otherKinds.get(kind);
  const isPort = /^\d{1,5}\//.test(rest);
  if (remedy !== undefined && !isPort) throw new ScanError("unsupported_source", `${kind}:${rest}: ${remedy}`);
}

/**
 * Refuses a word that looks like the path of a file, for a file that does not exist: it is not meant as an image in a registry.
 * @throws ScanError `not_found`
 */
function refuseMissingFile(word: string): void {
  const isPath = /^[./~]/.test(word) || (!word.includes("/") && fileSuffixes.some((suffix) => word.endsWith(suffix)));
  if (!isPath) return;
  const otherwise = /^[./~]/.test(word) ? "" : `; for an image of this name, use registry:${word}`;
  throw new ScanError("not_found", `${word}: there is no such file or folder${otherwise}`);
}
