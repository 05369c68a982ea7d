import type { Advisory } from "../../model/advisory.ts";
import type { Digest } from "../../model/digest.ts";
import type { FeedDocument } from "../../plugins/feed.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { type FeedFile, feedFiles, isXmlName } from "../shared/feed-files.ts";
import { type FeedPart, type FeedParts, feedParts, type ReadablePart } from "../shared/feed-parts.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { updateItems } from "./items.ts";
import { checkDigests, type RepositoryUpdates } from "./repository.ts";
import type { UpdateVendor } from "./update.ts";

/** Raised when the same documents would give other advisories. */
const revision = 1;

/** Where a vendor's rpm repositories are, and what their updates mean. */
export interface UpdateinfoFeed {
  readonly location: string;
  readonly scope: FeedScope;
  readonly vendor: UpdateVendor;
  /** The repositories of the site. `whole` is what its address itself gives, if anything. */
  findRepositories(parts: FeedParts, whole: FeedPart | undefined): Promise<readonly RepositoryUpdates[]>;
}

/**
 * Brings the updates of rpm repositories in: those of the vendor's site, a folder of `updateinfo.xml` documents, or one such document.
 * Of documents that an index names, the digest is compared.
 */
export function updateinfoUpdater(feed: UpdateinfoFeed): Updater {
  const { location, scope, vendor } = feed;
  return {
    name: vendor.updater,
    location,
    scope,
    async update(feeds, previous) {
      const parts = feedParts(feeds, revision, previous);
      const found = await findUpdates(parts, feed);
      const changed = await parts.finish(found.map(({ part }) => part));
      if (changed === undefined) return { kind: "unchanged" };
      const digests = new Map(found.map((updates) => [updates.part.name, updates.digests]));
      return { kind: "snapshot", fingerprint: changed.fingerprint, items: itemsOf(changed.parts, digests, vendor) };
    },
  };
}

/** The location itself where that is a folder or a document of updates; a site answers with a page or with nothing. */
async function findUpdates(parts: FeedParts, feed: UpdateinfoFeed): Promise<readonly RepositoryUpdates[]> {
  const whole = await parts.find();
  if (whole === undefined) return feed.findRepositories(parts, whole);
  const isSite = whole.feed.kind === "document" && !(await isUpdateinfo(whole.feed));
  return isSite ? feed.findRepositories(parts, whole) : [{ part: whole, digests: [] }];
}

const compressedDocument = /^(?:\x1f\x8b|BZh|\xfd7zXZ|\(\xb5\x2f\xfd)/;

async function isUpdateinfo(feed: FeedDocument): Promise<boolean> {
  const head = String.fromCharCode(...(await feed.readAt(0, 1024)));
  return compressedDocument.test(head) || head.includes("<updates");
}

async function* itemsOf(
  parts: readonly ReadablePart[],
  digests: ReadonlyMap<string | undefined, readonly Digest[]>,
  vendor: UpdateVendor,
): AsyncGenerator<FeedItem<Advisory>> {
  const files = parts.flatMap((part) =>
    updateFiles(part).map((file) => ({ file, known: digests.get(part.name) ?? [] })),
  );
  if (files.length === 0) throw malformedFeed(vendor.updater, "expected updateinfo documents, found none");
  for (const { file, known } of files) {
    await checkDigests(file, known);
    yield* updateItems(file, vendor);
  }
}

function updateFiles(part: ReadablePart): readonly FeedFile[] {
  if (part.feed.kind === "document") return feedFiles(part);
  return feedFiles(part).filter(({ name }) => name.includes("updateinfo") && isXmlName(name));
}
