import type { Bytes } from "../../bytes/bytes.ts";
import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import type { Feed, FeedDocument, FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, Fingerprint, RecordChange, Update } from "../../plugins/updater.ts";
import { fileOf, readFeedFile } from "../shared/feed-files.ts";
import { failedItems, malformedFeed } from "../shared/malformed-feed.ts";
import { tarDocuments } from "../shared/tar-documents.ts";
import { textLines } from "../shared/text-lines.ts";
import { archivedItems, documentItems, isJsonName } from "./items.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 2;

/** The maximal number of files to fetch one by one; with more, the archive is faster. */
const maxDelta = 3_000;

/** The overlap of runs: a site may publish a file some time after its stated time. */
const overlapMs = 3_600_000;

/** The state of a run, which is its fingerprint. */
interface State {
  readonly revision: number;
  /** The newest change that was read, in epoch milliseconds. */
  readonly until: number;
  readonly changes: string;
  readonly deletions: string;
}

/**
 * Reads the feed from Red Hat's site: an archive that is renewed from time to time, a file for each vulnerability, and lists of changed and deleted
 * files. With an earlier state, only the files that changed since are read; else the archive, and the files that changed after it.
 * The archive is not compared with a digest: Red Hat documents none for it. A damaged archive is found by its zstd and tar structure.
 *
 * ```
 * archive_latest.txt     csaf_vex_2025-08-13.tar.zst
 * changes.csv            "2024/cve-2024-24786.json","2025-08-13T15:14:45+00:00"
 * deletions.csv          the same form
 * ```
 * @see https://security.access.redhat.com/data/csaf/v2/vex/
 */
export async function updateFromSite(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Advisory>> {
  const last = parseState(previous);
  const changes = await feeds.open("changes.csv", last?.changes);
  const deletions = await openIfThere(feeds, "deletions.csv", last?.deletions);
  if (last !== undefined && changes.kind === "unchanged" && isUnchanged(deletions)) return { kind: "unchanged" };
  const lists = {
    changed: await listOf(feeds, "changes.csv", changes),
    deleted: await listOf(feeds, "deletions.csv", deletions),
  };
  const fingerprint = formatState({
    revision,
    until: newest(lists.changed.files, lists.deleted.files),
    changes: lists.changed.validator,
    deletions: lists.deleted.validator,
  });
  const since = last && newFiles(lists, last.until - overlapMs);
  if (since !== undefined && since.length <= maxDelta)
    return { kind: "delta", fingerprint, changes: changesOf(feeds, since) };
  return { kind: "snapshot", fingerprint, items: await snapshotOf(feeds, lists) };
}

/** A list as it is now. */
interface FileList {
  readonly files: readonly ChangedFile[];
  readonly validator: string;
}

interface FileLists {
  readonly changed: FileList;
  readonly deleted: FileList;
}

/** Undefined where there is no such document. */
async function openIfThere(feeds: FeedReader, name: string, previous?: string): Promise<Feed | undefined> {
  try {
    return await feeds.open(name, previous);
  } catch (error) {
    if (error instanceof ScanError && error.code === "not_found") return undefined;
    throw error;
  }
}

function isUnchanged(feed: Feed | undefined): boolean {
  return feed === undefined || feed.kind === "unchanged";
}

/** Reads a list. An unchanged list is opened again, since both lists are needed together. */
async function listOf(feeds: FeedReader, name: string, feed: Feed | undefined): Promise<FileList> {
  if (feed === undefined) return { files: [], validator: "" };
  const document = documentOf(name, feed.kind === "unchanged" ? await feeds.open(name) : feed);
  return { files: await readChangedFiles(document.stream(), document.location), validator: document.validator };
}

function documentOf(name: string, feed: Feed): FeedDocument {
  if (feed.kind === "document") return feed;
  throw malformedFeed(name, `expected a document, found ${feed.kind === "folder" ? "a folder" : "no change"}`);
}

function newest(...lists: readonly (readonly ChangedFile[])[]): number {
  return lists.flat().reduce((latest, { at }) => Math.max(latest, at), 0);
}

/** A file of a delta: changed, or gone. */
interface NewFile {
  readonly name: string;
  readonly isDeleted: boolean;
}

/** The files that changed after a time, each once. A file that was deleted and created again counts as changed. */
function newFiles({ changed, deleted }: FileLists, after: number): readonly NewFile[] {
  const at = new Map(changed.files.map((file) => [file.name, file.at]));
  const gone = deleted.files.filter((file) => file.at >= after && (at.get(file.name) ?? 0) <= file.at);
  const names = new Set(gone.map(({ name }) => name));
  const there = [...at].filter(([name, time]) => time >= after && !names.has(name)).map(([name]) => name);
  return [
    ...[...names].map((name) => ({ name, isDeleted: true })),
    ...there.map((name) => ({ name, isDeleted: false })),
  ];
}

async function* changesOf(
  feeds: FeedReader,
  files: readonly NewFile[],
): AsyncGenerator<FeedItem<RecordChange<Advisory>>> {
  for (const { name, isDeleted } of files) {
    const items = isDeleted ? [] : await fileItems(feeds, name);
    const problems = items.filter((each) => each.kind === "problem");
    yield* items.filter((each) => each.kind !== "item");
    if (problems.length > 0) continue; // the earlier advisories stay
    yield {
      kind: "item",
      item: { record: cveOf(name), items: items.flatMap((each) => (each.kind === "item" ? [each.item] : [])) },
    };
  }
}

/** The advisories of a file. A missing file is a problem, not a deletion: deletions have their own list. */
async function fileItems(feeds: FeedReader, name: string): Promise<readonly FeedItem<Advisory>[]> {
  const feed = await openIfThere(feeds, name);
  if (feed === undefined) return failedItems(name, "the list of changes names it, but it does not exist");
  const document = documentOf(name, feed);
  const { location } = document;
  const file = fileOf({ storedName: name, location, stored: () => document.stream(), openAt: async () => document });
  return documentItems(await readFeedFile(file), location);
}

async function snapshotOf(feeds: FeedReader, lists: FileLists): Promise<AsyncIterable<FeedItem<Advisory>>> {
  const pointer = documentOf("archive_latest.txt", await feeds.open("archive_latest.txt"));
  const name = new TextDecoder().decode(await pointer.readAt(0, 1024)).trim();
  const date = /^[\w.-]*(\d{4}-\d{2}-\d{2})\.tar\.zst$/.exec(name)?.[1];
  if (date === undefined)
    throw malformedFeed(
      pointer.location,
      `expected the name of an archive, found ${JSON.stringify(name.slice(0, 80))}`,
    );
  const archive = documentOf(name, await feeds.open(name));
  return snapshotItems(feeds, archive, newFiles(lists, Date.parse(date) - overlapMs));
}

/** The advisories of an archive. Files that changed after it replace those in it. */
async function* snapshotItems(
  feeds: FeedReader,
  archive: FeedDocument,
  since: readonly NewFile[],
): AsyncGenerator<FeedItem<Advisory>> {
  const newer = new Set(since.map(({ name }) => name));
  const wants = (name: string) => (newer.has(name) ? "replaced" : isJsonName(name));
  for await (const document of tarDocuments(archive.stream(), archive.location, wants)) yield* archivedItems(document);
  for (const { name, isDeleted } of since) if (!isDeleted) yield* await fileItems(feeds, name);
}

function formatState(state: State): Fingerprint {
  return JSON.stringify(state);
}

/** Undefined where the fingerprint is of an earlier parser or of a folder. */
function parseState(fingerprint: Fingerprint | undefined): State | undefined {
  if (!fingerprint?.startsWith("{")) return undefined;
  const state = JSON.parse(fingerprint) as State;
  return state.revision === revision ? state : undefined;
}

/** A file of the feed and when it was last changed or deleted. */
interface ChangedFile {
  /** `2024/cve-2024-24786.json` */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The maximal number of files of one list; the feed has a tenth of it. */
const maxFiles = 1_000_000;

/**
 * Reads the files in a list, in any order.
 *
 * ```
 * list = {'"' name '","' date '"' newline}      changes.csv, deletions.csv
 * ```
 * @throws ScanError `malformed_feed` for another document
 */
async function readChangedFiles(source: Bytes, location: string): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for await (const line of textLines(source, location)) {
    if (line.trim() === "") continue;
    const [, name = "", date = ""] = /^"?([^",]+)"?,"?([^",]+)"?$/.exec(line.trim()) ?? [];
    const at = Date.parse(date);
    if (!isCveFile(name) || Number.isNaN(at))
      throw malformedFeed(
        location,
        `expected the name of a file and a date, found ${JSON.stringify(line.slice(0, 80))}`,
      );
    if (files.push({ name, at }) > maxFiles)
      throw malformedFeed(location, `expected at most ${maxFiles} files, found more`);
  }
  return files;
}

/** Whether a file is about one vulnerability, by its name: `2024/cve-2024-24786.json`. */
function isCveFile(name: string): boolean {
  return /^(?:\d{4}\/)?cve-\d{4}-\d{4,}\.json$/.test(name);
}

/** The vulnerability of a file. */
function cveOf(name: string): string {
  return (name.split("/").at(-1) ?? name).replace(/\.json$/, "").toUpperCase();
}
