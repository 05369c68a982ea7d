import { createHash } from "node:crypto";
import { type Bytes, type Digest, parseDigest, ScanError } from "@plimsoll/core";
import { readRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";

/** The largest list that is read. */
const maxListBytes = 256 * 1024 ** 2;

/** A list of packages in memory. */
export interface ListBytes {
  readonly bytes: Uint8Array;
  /** The SHA-256 digest of the bytes. */
  readonly digest: Digest;
}

/**
 * Reads a list of packages from a file, or from standard input.
 * @throws ScanError `not_found`, `not_permitted`, `unsupported_source` for a list that is too large or a missing standard input
 */
export async function readList(file: string, standardInput: Bytes | undefined): Promise<ListBytes> {
  const bytes = file === "-" ? await readAll(standardInput) : await readWhole(file);
  return { bytes, digest: digestOf(bytes) };
}

/** The SHA-256 digest of a content. */
export function digestOf(content: Uint8Array | string): Digest {
  return parseDigest(`sha256:${createHash("sha256").update(content).digest("hex")}`);
}

async function readWhole(path: string): Promise<Uint8Array> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxListBytes) throw tooLarge(path);
  return readRange(file, 0, size);
}

async function readAll(source: Bytes | undefined): Promise<Uint8Array> {
  if (source === undefined) throw new ScanError("unsupported_source", "-: expected standard input, found none");
  const chunks: Uint8Array[] = [];
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > maxListBytes) throw tooLarge("standard input");
    chunks.push(Uint8Array.from(chunk));
  }
  return Buffer.concat(chunks);
}

function tooLarge(what: string): ScanError {
  return new ScanError("unsupported_source", `${what}: expected a list of packages of at most ${maxListBytes} bytes`);
}
