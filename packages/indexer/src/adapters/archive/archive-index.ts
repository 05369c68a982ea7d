import type { FileHandle } from "node:fs/promises";
import { type Bytes, ScanError } from "@plimsoll/core";
import { fileInput, readRange, streamRange } from "./archive-input.ts";
import { type ArchiveLimits, normalizeMemberName, readMembers } from "./archive-members.ts";

/** Where the content of a member stands in its file. */
export interface ArchiveRange {
  readonly name: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** The members of an archive by name, links resolved inside the archive. */
export interface MemberTable<Content extends object> {
  has(name: string): boolean;
  /**
   * The content a name leads to.
   * @throws ScanError `malformed_image` when there is none, or a link leads nowhere, out of the archive or in a circle.
   */
  get(name: string): Content;
}

/** A member as a table is made of: a content or where a link leads. */
export type TableEntry<Content extends object> =
  | { readonly kind: "content"; readonly content: Content }
  | { readonly kind: "hard-link" | "symbolic-link"; readonly linkName: string };

const maxLinks = 40;

/** A table of entries; the later of two with the same name counts, as when an archive is unpacked. */
export function memberTable<Content extends object>(
  entries: ReadonlyMap<string, TableEntry<Content>>,
  archive: string,
): MemberTable<Content> {
  const find = (name: string): Content | string => {
    const seen: string[] = [];
    for (let at: string | undefined = name; seen.length <= maxLinks; ) {
      if (at === undefined) return "a link leads out of the archive";
      seen.push(at);
      const entry = entries.get(at);
      if (entry === undefined)
        return at === name ? "there is none" : `a link leads to ${JSON.stringify(at)}, which is not there`;
      if (entry.kind === "content") return entry.content;
      const folder = entry.kind === "symbolic-link" ? at.slice(0, at.lastIndexOf("/") + 1) : "";
      at = normalizeMemberName(entry.linkName.startsWith("/") ? entry.linkName : folder + entry.linkName);
    }
    return `more than ${maxLinks} links`;
  };
  return {
    has: (name) => entries.has(name),
    get: (name) => {
      const found = find(normalizeMemberName(name) ?? name);
      if (typeof found !== "string") return found;
      throw new ScanError("malformed_image", `${archive}: expected a member ${JSON.stringify(name)}: ${found}`);
    },
  };
}

/** A plain archive on disk: its members are found by passing over their contents, and read where they stand. */
export interface ArchiveIndex extends MemberTable<ArchiveRange> {
  stream(range: ArchiveRange): Bytes;
  /** @throws ScanError `malformed_image` for more than `maxBytes` */
  read(range: ArchiveRange, maxBytes: number): Promise<Uint8Array>;
}

/**
 * Walks over the headers of a plain tar file.
 * @throws ScanError `malformed_archive`, `entry_limit`, `aborted`
 */
export async function indexArchive(
  file: FileHandle,
  name: string,
  limits: ArchiveLimits,
  signal?: AbortSignal,
): Promise<ArchiveIndex> {
  const { size } = await file.stat();
  const entries = new Map<string, TableEntry<ArchiveRange>>();
  for await (const member of readMembers(fileInput(file, size), limits)) {
    if (signal?.aborted === true) throw new ScanError("aborted", `reading ${name} was given up`);
    const { kind, linkName, offset, sizeBytes } = member;
    const range = { name: member.name, offset, sizeBytes };
    entries.set(member.name, kind === "file" ? { kind: "content", content: range } : { kind, linkName });
  }
  return {
    ...memberTable(entries, name),
    stream: (range) => streamRange(file, range.offset, range.sizeBytes),
    read: async (range, maxBytes) => {
      if (range.sizeBytes > maxBytes) {
        const message = `${name}: expected at most ${maxBytes} bytes of ${range.name}, found ${range.sizeBytes}`;
        throw new ScanError("malformed_image", message);
      }
      return readRange(file, range.offset, range.sizeBytes);
    },
  };
}
