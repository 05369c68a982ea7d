import type { TarEntry, TarKind } from "./entry.ts";
import { blockBytes, headerLinkName, headerMode, headerName, headerSize, headerType } from "./header.ts";
import { mergePax, noPaxRecords, type PaxRecords, paxNumber, paxText } from "./pax.ts";
import { readPaxSparse, readSparseHeader, type Sparse } from "./sparse.ts";

/** Fields of a header that are replaced by meta members before it. */
export interface Overrides {
  readonly pax: PaxRecords;
  readonly longName?: string;
  readonly longLinkName?: string;
}

/** No fields are replaced. */
export const noOverrides: Overrides = { pax: noPaxRecords };

/** A member of the archive, decoded from its header. */
export interface Member {
  readonly entry: TarEntry;
  /** The offset of its header in the archive, for messages. */
  readonly at: number;
  readonly sparse?: Sparse;
  /** Whether blocks with further sparse segments come before the content. */
  readonly moreSegments: boolean;
}

const kinds: ReadonlyMap<string, TarKind> = new Map([
  ["0", "file"],
  ["\0", "file"],
  ["7", "file"], // "contiguous file", stored like any other
  ["S", "file"], // GNU sparse
  ["1", "hard-link"],
  ["2", "symbolic-link"],
  ["3", "device"],
  ["4", "device"],
  ["6", "device"],
  ["5", "folder"],
  ["D", "folder"], // GNU incremental: a folder with the list of its names as content
]);

/** Types without content; their size field is ignored. */
export const withoutContent: ReadonlySet<string> = new Set(["1", "2", "3", "4", "5", "6"]);

/**
 * Decodes a header; undefined for entries that are not members (volume labels, undefined types).
 * GNU long names have precedence over pax records, as in the tar reader of container runtimes.
 * @throws ScanError `malformed_archive`
 */
export function readMember(
  block: Uint8Array,
  at: number,
  { global, local }: { readonly global: PaxRecords; readonly local: Overrides },
): Member | undefined {
  const type = headerType(block);
  const pax = mergePax(global, local.pax);
  const name = local.longName ?? paxText(pax, "GNU.sparse.name") ?? paxText(pax, "path") ?? headerName(block);
  const kind = type === "\0" && name.endsWith("/") ? "folder" : kinds.get(type); // v7 has no type for folders
  if (kind === undefined) return undefined;
  const isLink = kind === "hard-link" || kind === "symbolic-link";
  const linkName = isLink ? (local.longLinkName ?? paxText(pax, "linkpath") ?? headerLinkName(block)) : "";
  const storedBytes = contentBytes(block, at, pax);
  const gnuSparse = type === "S" ? readSparseHeader(block, at) : undefined;
  const sparse = gnuSparse ?? (kind === "file" ? readPaxSparse(pax, at) : undefined);
  const sizeBytes = sparse?.realBytes ?? storedBytes;
  const contentAt = at + blockBytes;
  const described = { name, kind, linkName, sizeBytes, storedBytes, contentAt, mode: headerMode(block, at) };
  const entry = sparse === undefined ? described : ({ ...described, isSparse: true } as const);
  return { entry, at, sparse, moreSegments: gnuSparse?.more ?? false };
}

/** The number of bytes of content after the header, without padding. @throws ScanError `malformed_archive` */
export function contentBytes(block: Uint8Array, at: number, pax: PaxRecords): number {
  if (withoutContent.has(headerType(block))) return 0;
  return paxNumber(pax, "size", at) ?? headerSize(block, at);
}
