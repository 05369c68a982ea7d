import type { Advisory } from "../../model/advisory.ts";
import type { Digest } from "../../model/digest.ts";
import type { FeedDocument } from "../../plugins/feed.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { documentFile, type FeedFile } from "../shared/feed-files.ts";
import { type FeedPart, type FeedParts, feedParts, type ReadablePart } from "../shared/feed-parts.ts";
import { leftOutRecord, malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { headOf, noForm, type OtherForm, type PartFile, splitForms } from "../shared/other-form.ts";
import { childText, xmlElements } from "../shared/xml-elements.ts";
import { checkDigests, type RepositoryUpdates } from "./repository.ts";
import { type UpdateVendor, updateAdvisories } from "./update.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 1;

/** The feed of a vendor's rpm repositories. */
export interface UpdateinfoFeed {
  readonly location: string;
  readonly scope: FeedScope;
  readonly vendor: UpdateVendor;
  /** Another form that a file or a folder may have. */
  readonly otherForm?: OtherForm;
  /** Finds the repositories of the site. `whole` is the document at the site's own address, if there is one. */
  findRepositories(parts: FeedParts, whole: FeedPart | undefined): Promise<readonly RepositoryUpdates[]>;
}

/**
 * Makes the updater of a vendor's rpm repositories: from its site, a folder of `updateinfo.xml` documents, or one such document. Documents
 * that are named in an index must have the digest in it.
 */
export function updateinfoUpdater(feed: UpdateinfoFeed): Updater {
  const { location, scope, vendor, otherForm } = feed;
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
      return {
        kind: "snapshot",
        fingerprint: changed.fingerprint,
        items: itemsOf(changed.parts, digests, { vendor, otherForm }),
      };
    },
  };
}

/** The location itself if it is a folder or a document of updates. The site's own address gives a web page or nothing. */
async function findUpdates(parts: FeedParts, feed: UpdateinfoFeed): Promise<readonly RepositoryUpdates[]> {
  const whole = await parts.find();
  if (whole === undefined) return feed.findRepositories(parts, whole);
  const isSite = whole.feed.kind === "document" && !(await isData(whole.feed, feed.otherForm));
  return isSite ? feed.findRepositories(parts, whole) : [{ part: whole, digests: [] }];
}

async function isData(feed: FeedDocument, otherForm: OtherForm | undefined): Promise<boolean> {
  const head = await headOf(documentFile(feed));
  return head.includes("<updates") || (otherForm?.isForm(head) ?? false);
}

/** Options of reading documents. */
interface Reading {
  readonly vendor: UpdateVendor;
  readonly otherForm: OtherForm | undefined;
}

async function* itemsOf(
  parts: readonly ReadablePart[],
  digests: ReadonlyMap<string | undefined, readonly Digest[]>,
  { vendor, otherForm = noForm }: Reading,
): AsyncGenerator<FeedItem<Advisory>> {
  const { plain, others } = await splitForms(parts, otherForm);
  const updates: PartFile[] = [];
  for (const each of plain) {
    if (each.part.feed.kind === "document" || (await isUpdateinfo(each.file))) updates.push(each);
    else yield leftOutRecord("not-an-advisory", each.file.location);
  }
  if (updates.length + others.length === 0)
    throw malformedFeed(vendor.updater, "expected updateinfo documents, found none");
  for (const { part, file } of updates) {
    await checkDigests(file, digests.get(part.name) ?? []);
    yield* updateItems(file, vendor);
  }
  if (others.length > 0) yield* otherForm.items(others);
}

/** Whether a file of a folder has updates, by its content. */
async function isUpdateinfo(file: FeedFile): Promise<boolean> {
  return file.name.endsWith(".xml") && (await headOf(file)).includes("<updates");
}

/** The advisories of an `updateinfo.xml`, compressed or not. @throws ScanError `malformed_feed` */
async function* updateItems(file: FeedFile, vendor: UpdateVendor): AsyncGenerator<FeedItem<Advisory>> {
  const selection = { root: "updates", depth: 1, wants: (name: string) => name === "update" };
  for await (const update of xmlElements(file.stream(), file.location, selection)) {
    const at = `${file.location}: ${childText(update, "id") ?? "an update without an id"}`;
    yield* recordItems(at, (readPart) => updateAdvisories(update, vendor, readPart));
  }
}
