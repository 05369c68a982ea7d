/**
 * The format of snapshot files, which transfer advisories to machines without a network. JSON lines, compressed with gzip or zstd:
 *
 *     snapshot = header item* end
 *     header   = {"format":"plimsoll-advisories","version":1,"updaters":[updater*]}
 *     updater  = {"updater","kind","ref","fingerprint","date","checkedAt","items","dropped"?,"account"?}     sorted by name
 *     item     = an advisory or an enrichment record: first all of the first updater, then all of the second, …
 *     end      = {"end":true,"items","digest"}     the digest is of all bytes before this line
 */
import { type Advisory, ScanError } from "@plimsoll/core";
import type { EnrichmentRecord } from "@plimsoll/core/plugins";
import type { FeedAccount } from "../store/feed-account.ts";
import type { DroppedRecords } from "../store/feed-status.ts";
import type { UpdateOperation } from "../store/update-operations.ts";

const format = "plimsoll-advisories";
const version = 1;

/** One updater's state in a snapshot. */
export interface SnapshotUpdater extends UpdateOperation {
  /** When its feed was last checked, in epoch milliseconds. */
  readonly checkedAt: number;
  readonly items: number;
  /** Unusable records of the feed; absent if there are none. */
  readonly dropped?: DroppedRecords;
  /** What became of the records of the feed; absent if it is not known. */
  readonly account?: FeedAccount;
}

/** The last line of a snapshot. */
export interface SnapshotEnd {
  readonly items: number;
  readonly digest: string;
}

/** Formats the first line, without its line end. */
export function formatHeader(updaters: readonly SnapshotUpdater[]): string {
  const rows = updaters.map(({ updater, kind, ref, fingerprint, date, checkedAt, items, dropped, account }) => {
    return { updater, kind, ref, fingerprint, date, checkedAt, items, dropped, account };
  });
  return JSON.stringify({ format, version, updaters: rows });
}

/** Formats the last line, without its line end. */
export function formatEnd({ items, digest }: SnapshotEnd): string {
  return JSON.stringify({ end: true, items, digest });
}

/** Parses the first line. @throws ScanError `malformed_feed` for another format or version */
export function parseHeader(line: string): readonly SnapshotUpdater[] {
  const header = parseObject(line, "the header of a snapshot");
  if (header.format !== format) throw malformed(`expected a snapshot of advisories, found ${shown(line)}`);
  if (header.version !== version) {
    const isEarlier = typeof header.version === "number" && header.version < version;
    const remedy = isEarlier ? "export or push it again with this release" : "use a newer release";
    throw malformed(`expected a snapshot of version ${version}, found ${shown(header.version)}: ${remedy}`);
  }
  if (!Array.isArray(header.updaters)) throw malformed("the header: expected a list of updaters, found none");
  const updaters = header.updaters.map(parseUpdater);
  if (new Set(updaters.map(({ updater }) => updater)).size < updaters.length)
    throw malformed("an updater is listed twice");
  return updaters;
}

function parseUpdater(value: unknown): SnapshotUpdater {
  const listed = (value ?? {}) as Partial<SnapshotUpdater>;
  const { updater, kind, ref, fingerprint, date, checkedAt, items, dropped, account } = listed;
  const texts = [updater, ref, fingerprint].every((text) => typeof text === "string" && text !== "");
  const counts = [date, checkedAt, items].every((count) => Number.isSafeInteger(count));
  if (
    !texts ||
    !counts ||
    !isDropped(dropped) ||
    !isAccount(account) ||
    (kind !== "vulnerability" && kind !== "enrichment")
  ) {
    throw malformed(`the header: expected an updater, found ${shown(value)}`);
  }
  return value as SnapshotUpdater;
}

function isAccount(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || !Array.isArray(value.skipped)) return false;
  const counts = [value.records, value.read, value.withdrawn, value.failed];
  const skipped = value.skipped.every(
    (each) => isObject(each) && isText(each.rule) && isText(each.example) && Number.isSafeInteger(each.count),
  );
  return skipped && counts.every((count) => Number.isSafeInteger(count));
}

function isDropped(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || !Number.isSafeInteger(value.count) || !Array.isArray(value.first)) return false;
  return value.first.every((each) => isObject(each) && isText(each.at) && isText(each.message));
}

/** @throws ScanError `malformed_feed` */
export function parseEnd(line: string | undefined): SnapshotEnd {
  const end = line === undefined ? {} : parseObject(line, "the end of a snapshot");
  if (end.end !== true) throw malformed("the snapshot is incomplete: its last line is missing; copy it again");
  return { items: Number(end.items), digest: String(end.digest) };
}

/** Formats the line of an advisory, without its updater, which the header names. */
export function formatAdvisory({ updater: _, ...advisory }: Advisory): string {
  return JSON.stringify(advisory);
}

/** @throws ScanError `malformed_feed` */
export function parseAdvisory(line: string, updater: string): Advisory {
  const { ranges, links, aliases, versions, ...rest } = parseObject(line, "an advisory");
  const { id, name, ecosystem, packageName, packageKind, status, normalizedSeverity } = rest;
  const texts = [id, name, ecosystem, packageName, packageKind, status, normalizedSeverity];
  const lists = [links, aliases, versions].every((list) => Array.isArray(list) && list.every(isText));
  if (!texts.every(isText) || !lists || !Array.isArray(ranges) || !ranges.every(isObject)) {
    throw malformed(`expected an advisory, found ${shown(line)}`);
  }
  return { ...rest, ranges, links, aliases, versions, updater } as unknown as Advisory;
}

/** @throws ScanError `malformed_feed` */
export function parseEnrichment(line: string): EnrichmentRecord {
  const { tags, record } = parseObject(line, "an enrichment record");
  if (!Array.isArray(tags) || !tags.every(isText) || record === undefined) {
    throw malformed(`expected an enrichment record, found ${shown(line)}`);
  }
  return { tags, record } as EnrichmentRecord;
}

/** The error for a malformed snapshot. */
export function malformed(message: string): ScanError {
  return new ScanError("malformed_feed", message);
}

function parseObject(line: string, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // reported below, with the line
  }
  throw malformed(`expected ${what}, found ${shown(line)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 120);
}
