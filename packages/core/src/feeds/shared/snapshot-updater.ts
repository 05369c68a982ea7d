import type { Advisory } from "../../model/advisory.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { type FeedPart, type FeedParts, feedParts, type ReadablePart } from "./feed-parts.ts";

/** A feed that is read again as a whole when one of its parts has changed. */
export interface SnapshotFeed<Item> {
  readonly name: string;
  /** See {@link Updater.location}. */
  readonly location: string;
  readonly scope?: FeedScope;
  /** Increased when a change alters the items of the same documents. */
  readonly revision: number;
  /** Finds the parts of the feed. Default: the configured location itself, a document or a folder. */
  findParts?(parts: FeedParts, feeds: FeedReader): Promise<readonly FeedPart[]>;
  /** The items of all parts. @throws ScanError `malformed_feed` */
  items(
    parts: readonly ReadablePart[],
    feeds: FeedReader,
  ): AsyncIterable<FeedItem<Item>> | Promise<AsyncIterable<FeedItem<Item>>>;
}

/** Makes the updater of a feed that is read as a whole. Parts that have not changed are not sent again. */
export function snapshotUpdater<Item = Advisory>(feed: SnapshotFeed<Item>): Updater<Item> {
  const { name, location, scope, revision, findParts = locationAlone, items } = feed;
  return {
    name,
    location,
    scope,
    async update(feeds, previous) {
      const parts = feedParts(feeds, revision, previous);
      const changed = await parts.finish(await findParts(parts, feeds));
      if (changed === undefined) return { kind: "unchanged" };
      return { kind: "snapshot", fingerprint: changed.fingerprint, items: await items(changed.parts, feeds) };
    },
  };
}

async function locationAlone(parts: FeedParts): Promise<readonly FeedPart[]> {
  return [await parts.get()];
}
