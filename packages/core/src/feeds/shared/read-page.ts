import type { FeedPart } from "./feed-parts.ts";

/** The maximal number of bytes of a page to read. */
const maxPageBytes = 4 * 1024 ** 2;

/** The text of a web page, which sites show instead of a folder; undefined for other parts. */
export async function readPage({ feed }: FeedPart): Promise<string | undefined> {
  if (feed.kind !== "document") return undefined;
  const text = new TextDecoder().decode(await feed.readAt(0, maxPageBytes));
  return /<(?:!doctype html|html)\b/i.test(text.slice(0, 1024)) ? text : undefined;
}
