import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { readPage } from "../shared/read-page.ts";

/** The number of consecutive missing documents that ends the search. */
const missesAllowed = 2;

/** Names of consecutively numbered documents: years, releases. */
export interface NumberedDocuments {
  readonly first: number;
  readonly last: number;
  nameOf(number: number): string;
}

/** The location itself if it is a folder or a document; on a site, the numbered documents that exist. */
export async function findNumbered(
  parts: FeedParts,
  { first, last, nameOf }: NumberedDocuments,
): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const found: FeedPart[] = [];
  for (let number = first, misses = 0; number <= last && misses < missesAllowed; number++) {
    const part = await parts.find(nameOf(number));
    misses = part === undefined ? misses + 1 : 0;
    if (part !== undefined) found.push(part);
  }
  return found;
}
