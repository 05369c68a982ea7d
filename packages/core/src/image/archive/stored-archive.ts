import { ScanError } from "../../errors.ts";
import { maxDocumentBytes } from "../../model/image-manifest.ts";
import type { FoundInLayer } from "../image-source.ts";
import { type ArchiveContents, storedLayer } from "./archive-contents.ts";
import { fileInput } from "./archive-input.ts";
import { type ArchiveLimits, readMembers } from "./archive-members.ts";
import { memberTable, type TableEntry } from "./member-table.ts";
import type { RandomAccess } from "./random-access.ts";

/** The place of a member's content in its file. */
interface Range {
  readonly offset: number;
  readonly sizeBytes: number;
}

interface ArchiveOptions {
  readonly archive: string;
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The contents of an uncompressed tar file, read in place. Only the headers are read to find the members. The file must stay open
 * while layers are read.
 * @throws ScanError `malformed_archive`, `entry_limit`, `aborted`
 */
export async function indexStoredArchive<Found extends FoundInLayer>(
  file: RandomAccess,
  { archive, limits, signal }: ArchiveOptions,
): Promise<ArchiveContents<Found>> {
  const entries = new Map<string, TableEntry<Range>>();
  for await (const { name, kind, linkName, offset, sizeBytes } of readMembers(fileInput(file), limits)) {
    if (signal?.aborted === true) throw new ScanError("aborted", `reading ${archive} was cancelled`);
    entries.set(name, kind === "file" ? { kind: "content", content: { offset, sizeBytes } } : { kind, linkName });
  }
  const table = memberTable(entries, archive);
  return {
    has: async (name) => table.has(name),
    readDocument: async (name, what) => {
      const { offset, sizeBytes } = table.get(name, what);
      if (sizeBytes <= maxDocumentBytes) return file.read(offset, sizeBytes);
      throw new ScanError("malformed_image", `${what}: expected at most ${maxDocumentBytes} bytes, found ${sizeBytes}`);
    },
    toLayer: (name, layer) => {
      const { offset, sizeBytes } = table.get(name, `layer ${layer.digest}`);
      return storedLayer(layer, () => file.stream(offset, sizeBytes), file.rangeOf?.(offset, sizeBytes));
    },
  };
}
