import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { type Bytes, ScanError } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import { decompressedDocument, type SbomSubject } from "@plimsoll/core/internal";
import { readSbom, sbomReport } from "@plimsoll/core/sbom";
import { readRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";

/** Options of lists of packages. */
export interface ListOptions {
  /** The bytes that `-` stands for. */
  readonly standardInput?: Bytes;
}

/**
 * The source of a bill of materials: CycloneDX, SPDX or Syft's format, perhaps compressed. Its digest is that of the decompressed document.
 * @param named its path, or `-` for standard input; `@DIGEST` after it chooses the image of which a file with several attestations is read
 * @example
 * const source = fromSbom("app.cdx.json");
 */
export function fromSbom(named: string, { standardInput }: ListOptions = {}): ImageSource {
  return {
    name: `sbom:${named}`,
    open: async () => {
      const { file, subject } = await withSubject(named);
      const name = file === "-" ? "standard input" : file;
      const { bytes, digest } = await readList(file, standardInput);
      const sbom = readSbom(bytes, name, { subject });
      const listed = sbomReport(sbom, { name: file === "-" ? "sbom" : file, digest });
      const { isFolder } = sbom.subject ?? {};
      const image = { reference: nameOf(sbom.subject) ?? name, isFolder, manifestDigest: digest, layers: [], listed };
      return { images: [image], [Symbol.asyncDispose]: async () => {} };
    },
  };
}

function nameOf(subject: SbomSubject | undefined): string | undefined {
  if (subject === undefined) return undefined;
  const { name, version } = subject;
  return version === undefined || version === "" || name.endsWith(version) ? name : `${name}:${version}`;
}

/** A file whose own name ends like a digest is that file. */
async function withSubject(named: string): Promise<{ readonly file: string; readonly subject?: string }> {
  const [, file, subject] = /^(.+)@([a-z0-9]+:[0-9a-f]+)$/s.exec(named) ?? [];
  if (file === undefined || subject === undefined || (await isFile(named))) return { file: named };
  return { file, subject };
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The largest list that is read, decompressed. */
const maxListBytes = 256 * 1024 ** 2;

/** A list of packages in memory. */
interface ListBytes {
  readonly bytes: Uint8Array;
  /** The SHA-256 digest of the bytes. */
  readonly digest: Digest;
}

/**
 * Reads a list of packages from a file, or from standard input. It may be compressed by gzip, bzip2, xz or Zstandard.
 * @returns the decompressed list
 * @throws ScanError `not_found`, `not_permitted`, `unsupported_source` for a list that is too large or damaged, or a missing standard input
 */
export async function readList(file: string, standardInput: Bytes | undefined): Promise<ListBytes> {
  const stored = file === "-" ? chunksOf(standardInput) : chunksOfFile(file);
  const name = file === "-" ? "standard input" : file;
  const bytes = await collect(
    decompressedDocument(stored, { name, maxBytes: maxListBytes, code: "unsupported_source" }),
  );
  return { bytes, digest: digestOf(bytes) };
}

/** The SHA-256 digest of a content. */
export function digestOf(content: Uint8Array | string): Digest {
  return parseDigest(`sha256:${createHash("sha256").update(content).digest("hex")}`);
}

/** The whole file as one chunk. */
async function* chunksOfFile(path: string): Bytes {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxListBytes) {
    const expected = `expected a list of packages of at most ${maxListBytes} bytes`;
    throw new ScanError("unsupported_source", `${path}: ${expected}, found ${size}`);
  }
  yield await readRange(file, 0, size);
}

function chunksOf(standardInput: Bytes | undefined): Bytes {
  if (standardInput !== undefined) return standardInput;
  throw new ScanError("unsupported_source", "-: expected standard input, found none");
}

async function collect(source: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(Uint8Array.from(chunk)); // decoders reuse their buffers
  return Buffer.concat(chunks);
}
