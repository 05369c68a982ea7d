import { peekBytes } from "../../bytes/peek-bytes.ts";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type FeedFile, feedFiles } from "./feed-files.ts";
import type { ReadablePart } from "./feed-parts.ts";

/** A form of a vendor's advisories in files and folders, other than the form on its site. */
export interface OtherForm {
  /** Whether a document of a folder may have the form, by its name; its first characters decide, except for an archive. */
  wants(name: string): boolean;
  /** Whether a document has the form, by its first characters, decompressed. */
  isForm(head: string): boolean;
  /** @throws ScanError `malformed_feed` for a document that cannot be read at all */
  items(files: readonly FeedFile[]): AsyncIterable<FeedItem<Advisory>>;
}

/** The other form of a vendor that has none. */
export const noForm: OtherForm = {
  wants: () => false,
  isForm: () => false,
  async *items() {},
};

/** A document and its part of the feed. */
export interface PartFile {
  readonly part: ReadablePart;
  readonly file: FeedFile;
}

/** Separates the documents of the other form from the plain ones. */
export async function splitForms(
  parts: readonly ReadablePart[],
  otherForm: OtherForm,
): Promise<{ readonly plain: readonly PartFile[]; readonly others: readonly FeedFile[] }> {
  const [plain, others]: [PartFile[], FeedFile[]] = [[], []];
  for (const part of parts) {
    for (const file of feedFiles(part)) {
      if (await hasForm(file, otherForm)) others.push(file);
      else plain.push({ part, file });
    }
  }
  return { plain, others };
}

/** Decides by the first characters, and by the name for an archive of a folder. */
async function hasForm(file: FeedFile, { wants, isForm }: OtherForm): Promise<boolean> {
  if (file.name !== "" && !wants(file.name)) return false;
  return isArchiveName(file.name) || isForm(await headOf(file));
}

function isArchiveName(name: string): boolean {
  return /\.(?:zip|t(?:ar|gz|xz|zst|bz2))$/.test(name);
}

/** The first bytes of a document, decompressed, one character per byte. */
export async function headOf({ stream }: FeedFile): Promise<string> {
  const { head, bytes } = await peekBytes(stream(), 1024);
  const text = new TextDecoder("latin1").decode(head);
  await bytes[Symbol.asyncIterator]().return?.(); // releases the stream
  return text;
}
