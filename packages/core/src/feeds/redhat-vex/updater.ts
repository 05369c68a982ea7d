import type { Advisory } from "../../model/advisory.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, FeedRecord, Updater } from "../../plugins/updater.ts";
import type { OvalVendor } from "../oval/definition.ts";
import { ovalItems } from "../oval/updater.ts";
import { type FeedFile, feedFiles, fileOf, readFeedFile } from "../shared/feed-files.ts";
import { feedParts, type ReadablePart } from "../shared/feed-parts.ts";
import { leftOutRecord, malformedFeed } from "../shared/malformed-feed.ts";
import { headOf } from "../shared/other-form.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { tarDocuments } from "../shared/tar-documents.ts";
import { childrenNamed, childText, findChild } from "../shared/xml-elements.ts";
import { archivedItems, documentItems, isJsonName } from "./items.ts";
import { updateFromSite } from "./site.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 2;

/**
 * Imports Red Hat's statements on the packages of its products (VEX): fixed, affected, not affected, under investigation. Reads its site, or an
 * archive, a document or a folder of these.
 * @see https://security.access.redhat.com/data/csaf/v2/vex/
 */
export const redhatUpdater: Updater = {
  name: "redhat",
  location: "https://security.access.redhat.com/data/csaf/v2/vex/",
  scope: { partBytes: { rhel: 0 }, sharedBytes: 200e6 },
  async update(feeds, previous) {
    const parts = feedParts(feeds, revision, previous);
    const whole = await parts.find();
    if (whole === undefined || (await readPage(whole)) !== undefined) return updateFromSite(feeds, previous);
    const changed = await parts.finish([whole]);
    if (changed === undefined) return { kind: "unchanged" };
    return { kind: "snapshot", fingerprint: changed.fingerprint, items: await localItems(feeds, changed.parts) };
  },
};

/** The form of a document. */
type Form = "archive" | "json" | "oval";

/**
 * The advisories of a file or a folder: archives, CSAF documents, and the OVAL documents that Red Hat published until 2025. A separate document
 * replaces the one with the same name in an archive.
 * @throws ScanError `malformed_feed` where there are no such files
 */
async function localItems(
  feeds: FeedReader,
  parts: readonly ReadablePart[],
): Promise<AsyncIterable<FeedItem<Advisory>>> {
  const found: (readonly [FeedFile, Form])[] = [];
  const skipped: FeedRecord[] = [];
  for (const part of parts) {
    for (const file of feedFiles(part)) {
      const form = formOf(file.name) ?? (file.name === "" ? await sniff(file) : undefined);
      if (form === undefined) skipped.push(leftOutRecord("not-an-advisory", file.location));
      else found.push([part.feed.kind === "folder" ? streamed(feeds, file) : file, form]);
    }
  }
  if (found.length === 0) throw malformedFeed("redhat", "expected an archive or documents of Red Hat, found none");
  return recognized(itemsOf(found, skipped), {
    feed: "redhat",
    expected: "an archive or documents of Red Hat",
  });
}

/** A file of a folder as a stream: an archive is too large to load as a whole. */
function streamed(feeds: FeedReader, file: FeedFile): FeedFile {
  return fileOf({
    ...file,
    async *stored() {
      const feed = await feeds.open(file.storedName);
      if (feed.kind === "document") yield* feed.stream();
    },
  });
}

function formOf(name: string): Form | undefined {
  const base = name.split("/").at(-1) ?? "";
  if (base.endsWith(".tar")) return "archive";
  if (base.endsWith(".json")) return "json";
  return base.endsWith(".xml") ? "oval" : undefined;
}

async function sniff(file: FeedFile): Promise<Form> {
  const head = (await headOf(file)).trimStart();
  if (head.startsWith("{")) return "json";
  return head.startsWith("<") ? "oval" : "archive";
}

async function* itemsOf(
  files: readonly (readonly [FeedFile, Form])[],
  skipped: readonly FeedRecord[],
): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  const documents = new Set(files.filter(([, form]) => form === "json").map(([{ name }]) => baseOf(name)));
  for (const [file, form] of files) {
    if (form === "json") yield* documentItems(await readFeedFile(file), file.location);
    else if (form === "oval") yield* redhatOvalItems(file);
    else yield* archiveItems(file, documents);
  }
}

async function* archiveItems(file: FeedFile, others: ReadonlySet<string>): AsyncGenerator<FeedItem<Advisory>> {
  const wants = (name: string) => (others.has(baseOf(name)) ? "replaced" : isJsonName(name));
  for await (const document of tarDocuments(file.stored(), file.location, wants)) yield* archivedItems(document);
}

function baseOf(name: string): string {
  return name.split("/").at(-1) ?? name;
}

/** The beginning of the titles of definitions that list unaffected packages. */
const unaffected = "Unaffected components for:";

const vendor: OvalVendor = {
  updater: "redhat",
  packageKind: "BINARY",
  titlePrefix: unaffected,
  isWithdrawn: (metadata) => childText(metadata, "title")?.startsWith(unaffected) ?? false,
  ecosystemsOf: ({ products = [] }) => products.flatMap(keysOf),
  cpesOf(metadata) {
    const list = findChild(findChild(metadata, "advisory"), "affected_cpe_list");
    return childrenNamed(list, "cpe").map(({ text }) => text);
  },
};

/** The advisories of an OVAL document: errata (`RHSA-…`) of a release, or unfixed vulnerabilities. */
function redhatOvalItems(file: FeedFile): AsyncGenerator<FeedItem<Advisory>> {
  return ovalItems([file], vendor);
}

function keysOf(product: string): readonly string[] {
  const major = /^Red Hat Enterprise Linux (\d+)$/.exec(product)?.[1];
  return major === undefined ? [] : [`rhel:${major}`];
}
