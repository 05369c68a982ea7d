import type { Bytes } from "../../bytes/bytes.ts";
import type { Limits } from "../../bytes/limits.ts";
import { peekBytes } from "../../bytes/peek-bytes.ts";
import { ScanError } from "../../errors.ts";
import { type Digest, digestAlgorithm, parseDigest } from "../../model/digest.ts";
import { maxDocumentBytes } from "../../model/image-manifest.ts";
import { blockBytes, hasValidChecksum } from "../../tar/header.ts";
import type { FoundInLayer, LayerBytes, LayerReading, ReadLayer } from "../image-source.ts";
import { type ArchiveContents, type ArchivedLayer, isDesktopFile } from "./archive-contents.ts";
import { streamInput } from "./archive-input.ts";
import { type ArchiveMember, readMembers } from "./archive-members.ts";
import { memberTable, type TableEntry } from "./member-table.ts";

/** The part of a member that is kept after it was read from the stream. */
type Passed<Found extends FoundInLayer> =
  | { readonly kind: "document"; readonly bytes: Uint8Array }
  | { readonly kind: "layer"; readonly name: string; readonly read: ReadLayer<Found> }
  /** Neither a document nor a layer. The error is thrown only if an image refers to the member. */
  | { readonly kind: "unreadable"; readonly error: ScanError };

/** Options of {@link readPassingArchive}. */
export interface PassingOptions<Found extends FoundInLayer> extends Pick<LayerReading<Found>, "limits" | "readLayer"> {
  readonly signal?: AbortSignal;
  /** Streams the same archive from the beginning once more; absent if it can be read only once. */
  readonly again?: () => Bytes;
}

/**
 * The contents of an archive that can be read only from front to back. The manifest may be the last member, so the layers are
 * not known in advance: a member that is JSON is kept, any other is read as a layer.
 * @throws ScanError `malformed_archive`, `entry_limit`, `memory_limit`, `aborted` and what the source throws
 */
export async function readPassingArchive<Found extends FoundInLayer>(
  source: Bytes,
  archive: string,
  options: PassingOptions<Found>,
): Promise<ArchiveContents<Found>> {
  const entries = new Map<string, TableEntry<Passed<Found>>>();
  let keptBytes = 0;
  await using input = streamInput(source);
  for await (const member of readMembers(input, options.limits)) {
    if (options.signal?.aborted === true) throw new ScanError("aborted", `reading ${archive} was cancelled`);
    const { name, kind, linkName } = member;
    if (isDesktopFile(name)) continue;
    if (kind !== "file") {
      entries.set(name, { kind, linkName });
      continue;
    }
    const content = await readMember(member, options);
    if (content.kind === "document") keptBytes += content.bytes.length;
    if (keptBytes > options.limits.maxKeptBytes) {
      throw new ScanError(
        "memory_limit",
        `${archive}: its documents have more than ${options.limits.maxKeptBytes} bytes`,
      );
    }
    entries.set(name, { kind: "content", content });
  }
  const table = memberTable(entries, archive);
  return {
    has: async (name) => table.has(name),
    readDocument: async (name, what) => {
      const content = table.get(name, what);
      if (content.kind === "document") return content.bytes;
      throw new ScanError("malformed_image", `${what}: expected a JSON document of at most ${maxDocumentBytes} bytes`);
    },
    toLayer: (name, layer) => {
      const content = table.get(name, `layer ${layer.digest}`);
      if (content.kind === "unreadable") throw content.error;
      if (content.kind === "document")
        throw new ScanError("malformed_archive", `layer ${layer.digest}: expected a tar archive, found JSON`);
      checkRead(content.read, layer);
      const record = { ...content.read.record, digest: layer.digest };
      return { kind: "read", digest: layer.digest, record, ...passAgain(content, options) };
    },
  };
}

/** The bytes of a layer, from the archive that passes once more. */
function passAgain<Found extends FoundInLayer>(
  { name, read }: Extract<Passed<Found>, { readonly kind: "layer" }>,
  { again, limits }: PassingOptions<Found>,
): { readonly again?: LayerBytes } {
  if (again === undefined) return {};
  const { digest, sizeBytes } = read;
  const open = () => memberBytes(again(), name, limits);
  return { again: { open, reopens: true, expected: { digest, sizeBytes } } };
}

async function* memberBytes(archive: Bytes, name: string, limits: Limits): Bytes {
  await using input = streamInput(archive);
  for await (const member of readMembers(input, limits)) {
    if (member.kind === "file" && member.name === name) return yield* member.stream();
  }
}

async function readMember<Found extends FoundInLayer>(
  member: ArchiveMember,
  options: PassingOptions<Found>,
): Promise<Passed<Found>> {
  const { head, bytes } = await peekBytes(member.stream(), blockBytes);
  if (looksLikeJson(head)) return readJson(member, bytes);
  const digest = findDigest(member.name);
  const layer = { open: () => bytes, reopens: false, expected: digest === undefined ? {} : { digest } };
  try {
    return {
      kind: "layer",
      name: member.name,
      read: await options.readLayer(layer, options.signal && { signal: options.signal }),
    };
  } catch (error) {
    if (error instanceof ScanError && error.code !== "aborted") return { kind: "unreadable", error };
    throw error;
  }
}

async function readJson(member: ArchiveMember, bytes: Bytes): Promise<Passed<never>> {
  if (member.sizeBytes > maxDocumentBytes) {
    const message = `${member.name}: expected at most ${maxDocumentBytes} bytes of JSON, found ${member.sizeBytes}`;
    return { kind: "unreadable", error: new ScanError("malformed_image", message) };
  }
  const document = new Uint8Array(member.sizeBytes);
  let filled = 0;
  for await (const chunk of bytes) {
    document.set(chunk, filled);
    filled += chunk.length;
  }
  return { kind: "document", bytes: document.subarray(0, filled) };
}

/** A tar archive may begin with a brace too, in the name of its first file: the header's checksum distinguishes them. */
function looksLikeJson(head: Uint8Array): boolean {
  const first = head.find((byte) => byte > 0x20);
  return (first === 0x7b || first === 0x5b) && !(head.length >= blockBytes && hasValidChecksum(head));
}

/** The digest in the name of a layout's blob. */
function findDigest(name: string): Digest | undefined {
  const [, algorithm, hex] = /^blobs\/(sha256|sha512)\/([0-9a-f]+)$/.exec(name) ?? [];
  try {
    return algorithm === undefined ? undefined : parseDigest(`${algorithm}:${hex}`);
  } catch {
    return undefined;
  }
}

function checkRead(read: ReadLayer<FoundInLayer>, { digest, expected }: ArchivedLayer): void {
  const { sizeBytes = read.sizeBytes } = expected;
  const { diffId = expected.diffId } = read;
  if (sizeBytes !== read.sizeBytes) {
    throw new ScanError("size_mismatch", `layer ${digest}: expected ${sizeBytes} bytes, found ${read.sizeBytes}`);
  }
  checkDigest(`layer ${digest}`, expected.digest, read.digest);
  checkDigest(`uncompressed layer ${digest}`, expected.diffId, diffId);
}

function checkDigest(what: string, expected: Digest | undefined, found: Digest | undefined): void {
  if (expected === undefined || found === undefined || expected === found) return;
  if (digestAlgorithm(expected) !== digestAlgorithm(found)) {
    const message = `${what}: ${expected} cannot be checked in an archive that is read only once; give the archive as a plain file`;
    throw new ScanError("unsupported_digest", message);
  }
  throw new ScanError("digest_mismatch", `${what}: expected ${expected}, found ${found}`);
}
