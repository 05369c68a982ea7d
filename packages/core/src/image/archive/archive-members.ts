/**
 * Reads the members of an image archive. A layer's walker copies wanted files whole; this reader gives each content as a
 * stream, because the members are layers.
 */
import type { Bytes } from "../../bytes/bytes.ts";
import type { Limits } from "../../bytes/limits.ts";
import { ScanError } from "../../errors.ts";
import { normalizePath } from "../../layer/paths.ts";
import { hasValidChecksum, headerLinkName, headerName, headerSize, headerType, isZeroBlock } from "../../tar/header.ts";
import { readLongName } from "../../tar/long-names.ts";
import { withoutContent } from "../../tar/member.ts";
import { mergePax, noPaxRecords, type PaxRecords, parsePax, paxNumber, paxText } from "../../tar/pax.ts";
import type { ArchiveInput } from "./archive-input.ts";

/** A file or a link in an archive. Folders and devices are left out. */
export interface ArchiveMember {
  /** Normalized: no leading slash, no `.`, `..` or empty segment. */
  readonly name: string;
  readonly kind: "file" | "hard-link" | "symbolic-link";
  /** As written; empty unless the member is a link. */
  readonly linkName: string;
  /** The offset of its content in the archive. */
  readonly offset: number;
  readonly sizeBytes: number;
  /** The content. Can be read once, and only before the next member is requested. */
  stream(): Bytes;
}

/** Limits on an archive's structure. */
export type ArchiveLimits = Pick<Limits, "maxEntries" | "maxMetaBytes" | "maxPathBytes">;

const blockBytes = 512;
const kinds: ReadonlyMap<string, ArchiveMember["kind"]> = new Map([
  ["0", "file"],
  ["\0", "file"],
  ["7", "file"],
  ["1", "hard-link"],
  ["2", "symbolic-link"],
]);

interface Pending {
  readonly global: PaxRecords;
  readonly local: PaxRecords;
  readonly longName?: string;
  readonly longLink?: string;
}

const nothingPending: Pending = { global: noPaxRecords, local: noPaxRecords };

/**
 * Reads an archive from front to back. Content that the caller does not read is skipped.
 * @throws ScanError `malformed_archive`, `entry_limit`
 */
export async function* readMembers(input: ArchiveInput, limits: ArchiveLimits): AsyncGenerator<ArchiveMember> {
  let pending = nothingPending;
  let entries = 0;
  for (;;) {
    const at = input.position;
    const header = await readHeader(input);
    if (header === undefined) return;
    if (++entries > limits.maxEntries) {
      throw new ScanError("entry_limit", `the image archive has more than ${limits.maxEntries} entries`);
    }
    const type = headerType(header);
    const sizeBytes = withoutContent.has(type) ? 0 : sizeOf(header, pending, { type, at });
    const end = input.position + sizeBytes + padding(sizeBytes);
    if ("xgLK".includes(type)) {
      pending = withMeta(pending, { type, content: await readMeta(input, { sizeBytes, at }, limits), at });
    } else {
      if (type === "S") throw malformed(at, "a sparse file, which image archives do not have");
      yield* toMember(input, { header, sizeBytes, pending }, limits);
      pending = { ...nothingPending, global: pending.global };
    }
    if (!(await input.skip(end - input.position)))
      throw malformed(at, `an entry of ${sizeBytes} bytes that is cut off`);
  }
}

async function readHeader(input: ArchiveInput): Promise<Uint8Array | undefined> {
  const at = input.position;
  const header = await input.take(blockBytes);
  if (header.length === 0 && at > 0) return undefined;
  if (header.length < blockBytes) throw malformed(at, `${header.length} bytes where a header of ${blockBytes} belongs`);
  if (isZeroBlock(header)) return undefined;
  if (!hasValidChecksum(header)) throw malformed(at, "no tar header: its checksum is wrong");
  return header;
}

function sizeOf(
  header: Uint8Array,
  pending: Pending,
  { type, at }: { readonly type: string; readonly at: number },
): number {
  const stated = "xgLK".includes(type) ? undefined : paxNumber(recordsOf(pending), "size", at);
  return stated ?? headerSize(header, at);
}

function recordsOf(pending: Pending): PaxRecords {
  return mergePax(pending.global, pending.local);
}

interface ContentPlace {
  readonly sizeBytes: number;
  readonly at: number;
}

async function readMeta(
  input: ArchiveInput,
  { sizeBytes, at }: ContentPlace,
  limits: ArchiveLimits,
): Promise<Uint8Array> {
  if (sizeBytes > limits.maxMetaBytes)
    throw malformed(at, `a meta record of ${sizeBytes} bytes, more than ${limits.maxMetaBytes}`);
  const content = await input.take(sizeBytes);
  if (content.length < sizeBytes) throw malformed(at, "a meta record that is cut off");
  return content;
}

interface MetaMember {
  readonly type: string;
  readonly content: Uint8Array;
  readonly at: number;
}

function withMeta(pending: Pending, { type, content, at }: MetaMember): Pending {
  switch (type) {
    case "g":
      return { ...pending, global: mergePax(pending.global, parsePax(content, at)) };
    case "x":
      return { ...pending, local: parsePax(content, at) };
    case "L":
      return { ...pending, longName: readLongName(content) };
    default:
      return { ...pending, longLink: readLongName(content) };
  }
}

interface MemberHeader {
  readonly header: Uint8Array;
  readonly sizeBytes: number;
  readonly pending: Pending;
}

function* toMember(
  input: ArchiveInput,
  { header, sizeBytes, pending }: MemberHeader,
  limits: ArchiveLimits,
): Iterable<ArchiveMember> {
  const kind = kinds.get(headerType(header));
  const written = paxText(recordsOf(pending), "path") ?? pending.longName ?? headerName(header);
  const name = normalizePath(written);
  if (kind === undefined || name === undefined || name === "" || written.endsWith("/")) return;
  const offset = input.position;
  if (name.length > limits.maxPathBytes) throw malformed(offset, `a name of more than ${limits.maxPathBytes} bytes`);
  const linkName = paxText(recordsOf(pending), "linkpath") ?? pending.longLink ?? headerLinkName(header);
  yield {
    name,
    kind,
    linkName: kind === "file" ? "" : linkName,
    offset,
    sizeBytes,
    stream: () => input.stream(sizeBytes),
  };
}

function padding(sizeBytes: number): number {
  return (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
}

function malformed(at: number, what: string): ScanError {
  return new ScanError("malformed_archive", `expected a tar archive, found at byte ${at} ${what}`);
}
