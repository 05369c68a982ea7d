import { documentFile } from "./feed-files.ts";
import type { FeedPart } from "./feed-parts.ts";
import { headOf } from "./other-form.ts";

/** Whether a part is JSON, an archive or a folder, compressed or not, instead of a web page. */
export async function isData({ feed }: FeedPart): Promise<boolean> {
  if (feed.kind !== "document") return true;
  const head = await headOf(documentFile(feed));
  const isArchive = head.startsWith("PK") || head.slice(257, 262) === "ustar";
  return isArchive || /^(?:\xef\xbb\xbf)?\s*[[{]/.test(head);
}
