import { peekBytes } from "../../bytes/peek-bytes.ts";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type FeedFile, feedFiles } from "./feed-files.ts";
import type { ReadablePart } from "./feed-parts.ts";

/** Another form than that of a vendor's site, in which a file or a folder may hold its advisories. */
export interface OtherForm {
  /** Whether a document of a folder has the form, by its name. */
  wants(name: string): boolean;
  /** Whether what begins like this, decompressed, has it. */
  isForm(head: string): boolean;
  /** @throws ScanError `malformed_feed` for a document that is unusable as a whole */
  items(files: readonly FeedFile[]): AsyncIterable<FeedItem<Advisory>>;
}

/** The form of a vendor that has no other. */
export const noForm: OtherForm = {
  wants: () => false,
  isForm: () => false,
  async *items() {},
};

/** A document and the part of the feed that has it. */
export interface PartFile {
  readonly part: ReadablePart;
  readonly file: FeedFile;
}

/** The documents of parts: those of the other form apart. */
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

/** A document of a folder is told by its name, the location itself by its beginning. */
async function hasForm(file: FeedFile, { wants, isForm }: OtherForm): Promise<boolean> {
  return file.name === "" ? isForm(await headOf(file)) : wants(file.name);
}

/** The first bytes of a document, decompressed, each as a character. */
export async function headOf({ stream }: FeedFile): Promise<string> {
  const { head, bytes } = await peekBytes(stream(), 1024);
  const text = new TextDecoder("latin1").decode(head);
  await bytes[Symbol.asyncIterator]().return?.(); // takes its buffer back
  return text;
}
