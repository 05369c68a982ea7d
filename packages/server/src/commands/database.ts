import { safeText } from "@plimsoll/core/internal/safe-text";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { checkSnapshotFile, feedNames, isEmptyOfUse, problemText } from "@plimsoll/matcher";
import {
  type DatabaseStatus,
  type FailedUpdate,
  type FeedAccount,
  type FeedStatus,
  findJavaIndex,
  type JavaIndexStatus,
  javaIndexFeed,
  type UpdateEvent,
  type UpdateResult,
} from "@plimsoll/scanner";
import { parseStoreLocation } from "@plimsoll/store";
import { dayMs } from "../cli/database-age.ts";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import { type StatusFormat, statusFormats } from "../cli/output-format.ts";
import type { LoginFlags, Session } from "../cli/session.ts";
import { openOutputs, type Renderers, writeResults } from "../cli/write-results.ts";
import { wrongValue } from "../config/wrong-value.ts";
import { skipRuleMeaning } from "../render/footer.ts";
import { prettyJson } from "../render/json.ts";
import { layOutTable } from "../render/table.ts";
import { counted } from "../render/terminal-text.ts";
import { indexText, javaIndexPlace, updateIndex } from "./java-index.ts";
import { chosenText, updateProgress } from "./update-progress.ts";

/** The flags of `db update`. */
export interface UpdateFlags {
  /** `NAME`, `NAME=PATH` or `NAME=URL`. */
  readonly feed: readonly string[];
  readonly all: boolean;
  /** Credentials of the registry that has the Java index. */
  readonly login: LoginFlags;
}

/**
 * `plimsoll db update [--all] [--feed NAME[=PATH|URL]]…`: updates the feeds that images need; with `--feed`, or feeds in the
 * settings, only those named. A feed that fails keeps the data of its last good update and fails the command; the others are
 * still updated.
 */
export async function databaseUpdate(session: Session, { feed, all, login }: UpdateFlags): Promise<ExitCode> {
  const { settings, io, progress } = session;
  if (all && feed.length > 0) throw new UsageError("--all and --feed: every feed, or only those that are named");
  const given = parseFeeds(feed);
  const index = javaIndexPlace(session, given);
  const named = given.filter(([name]) => name !== javaIndexFeed);
  const places = named.flatMap(([name, place]) => (place === undefined ? [] : [[name, place] as const]));
  const { [javaIndexFeed]: _, ...feeds } = settings.feeds;
  const locations = { ...feeds, ...Object.fromEntries(places) };
  const only = [...new Set([...Object.keys(feeds), ...named.map(([name]) => name)])];
  const indexCode = index === undefined ? exitCodes.ok : await updateIndex(session, index, login);
  if (given.length > 0 && named.length === 0) return indexCode;
  await using scanner = await session.open();
  const known = feedNames(scanner.engine);
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `--feed: there is no feed "${unknown}"; the feeds are ${[...known, javaIndexFeed].join(", ")}`,
    );
  const isChosenHere = only.length === 0 && !settings.offline;
  const onEvent = updateProgress({ progress, now: io.now, isTerminal: io.stderr.isTTY === true });
  const updates = await scanner.updateFeeds({
    locations,
    only: all ? "all" : only.length === 0 ? undefined : only,
    onEvent(event) {
      if (event.kind === "chosen" && isChosenHere) session.warn(chosenText(event.feeds));
      if (io.stderr.isTTY !== true && event.kind !== "downloading") progress.show(eventText(event));
      onEvent(event);
    },
    signal: io.signal,
  });
  progress.clear();
  const { feeds: loaded } = await scanner.databaseStatus();
  for (const update of updates) report(session, update, loaded);
  const incomplete = settings.strict && failForGaps(session, loaded, updates);
  if (updates.some((update) => update.kind === "failed") || incomplete || indexCode !== exitCodes.ok)
    return exitCodes.scan;
  return updates.some((update) => update.kind === "busy") ? exitCodes.busy : exitCodes.ok;
}

/** Fails for updated feeds that lack records or have no use of any, including feeds that were up to date already. */
function failForGaps(session: Session, feeds: readonly FeedStatus[], updates: readonly UpdateResult[]): boolean {
  const updated = new Set(updates.map(({ updater }) => updater));
  const lacking = lacks(feeds.filter(({ name }) => updated.has(name)));
  for (const text of lacking) session.fail(`--strict: ${text}`);
  return lacking.length > 0;
}

/** What feeds lack: records that could not be read, or any of use. */
function lacks(feeds: readonly FeedStatus[]): readonly string[] {
  return [
    ...feeds
      .filter(({ dropped }) => dropped.count > 0)
      .map(({ name, dropped }) => `${name} has ${problemsText(dropped.count)}`),
    ...feeds.filter(isEmptyOfUse).map(({ name }) => `${name}: no record of the source could be used`),
  ];
}

/**
 * `plimsoll db status [-o FORMAT]`: lists the loaded feeds with their dates and numbers of records; with `--strict`, fails for what they lack.
 * @param output the values of `-o`
 */
export async function databaseStatus(session: Session, output: readonly string[] = []): Promise<ExitCode> {
  const outputs = await openOutputs(output, { formats: statusFormats });
  const { shown } = parseStoreLocation(session.settings.db);
  const index = session.javaIndex === undefined ? undefined : await findJavaIndex(session.javaIndex);
  if (!session.hasDatabase()) {
    const none = { feeds: [], failures: [] };
    await writeResults(outputs, statusRenderers({ database: shown, isThere: false, status: none, index }), session.io);
    return judgeStatus(session, none);
  }
  await using scanner = await session.openToRead();
  const status = await scanner.databaseStatus();
  await writeResults(outputs, statusRenderers({ database: shown, isThere: true, status, index }), session.io);
  return judgeStatus(session, status);
}

/** The content of a database, and where it is. */
interface ShownStatus {
  readonly database: string;
  readonly isThere: boolean;
  readonly status: DatabaseStatus;
  readonly index: JavaIndexStatus | undefined;
}

function statusRenderers({ database, isThere, status, index }: ShownStatus): Renderers<StatusFormat> {
  return {
    *table() {
      yield* statusLines(isThere ? database : `${database} (does not exist yet)`, status);
      if (index === undefined) return;
      if (isThere) yield "";
      yield indexText(index);
    },
    json: () => [prettyJson(statusJson({ database, isThere, status, index }))],
  };
}

function statusJson({ database, isThere, status: { feeds, failures }, index }: ShownStatus): object {
  const source = index?.source;
  return {
    database,
    exists: isThere,
    feeds: feeds.map((feed) => ({
      name: feed.name,
      kind: feed.kind,
      stored: feed.kind === "vulnerability" ? feed.rows : factsOf(feed),
      changed_at: instantText(feed.changedAt),
      checked_at: instantText(feed.checkedAt),
      records: feed.account,
      problems: feed.dropped,
      is_empty_of_use: isEmptyOfUse(feed),
    })),
    failures: failures.map(({ updater, failedAt, message }) => ({
      feed: updater,
      failed_at: instantText(failedAt),
      message,
    })),
    java_index: index && {
      file: index.file,
      size_bytes: index.sizeBytes,
      archives: index.archives,
      source: source && withoutCredentials(source.location),
      changed_at: source && instantText(source.changedAt),
      checked_at: source && instantText(source.checkedAt),
    },
  };
}

function instantText(at: number): string {
  return new Date(at).toISOString();
}

/** The exit code of `--strict`: 4 where data are missing or old, 3 where they are incomplete. */
function judgeStatus(session: Session, { feeds, failures }: DatabaseStatus): ExitCode {
  const { strict, maxDbAgeDays } = session.settings;
  if (!strict) return exitCodes.ok;
  const oldest = session.io.now() - maxDbAgeDays * dayMs;
  const missing = [
    ...(feeds.length === 0 ? ["no feed is loaded: run plimsoll db update"] : []),
    ...feeds
      .filter(({ checkedAt }) => checkedAt < oldest)
      .map(
        ({ name, checkedAt }) =>
          `${name} was last checked at ${new Date(checkedAt).toISOString()}: run plimsoll db update`,
      ),
  ];
  const incomplete = [...failures.map(({ updater }) => `${updater}: the last update failed`), ...lacks(feeds)];
  for (const text of [...missing, ...incomplete]) session.fail(`--strict: ${text}`);
  if (missing.length > 0) return exitCodes.database;
  return incomplete.length > 0 ? exitCodes.scan : exitCodes.ok;
}

/** `plimsoll db export FILE`: writes all advisories to a file that `db import` reads on another machine. */
export async function databaseExport(session: Session, file: string): Promise<ExitCode> {
  if (!session.hasDatabase()) {
    session.io.stderr.write(
      `plimsoll: ${session.settings.db}: there is no database to export: run plimsoll db update\n`,
    );
    return exitCodes.database;
  }
  await using scanner = await session.open();
  await scanner.exportDatabase(file, session.io.signal);
  return exitCodes.ok;
}

/** `plimsoll db import FILE`: replaces the feeds that the file contains, all or nothing. */
export async function databaseImport(session: Session, file: string): Promise<ExitCode> {
  const { io, progress } = session;
  await checkSnapshotFile(file); // first, because opening a missing database creates it
  await using scanner = await session.open();
  await scanner.importDatabase(file, io.signal, (event) => progress.show(eventText(event)));
  progress.clear();
  return databaseStatus(session);
}

/** @throws UsageError for a feed that is given in two ways: an update reads one place */
function parseFeeds(texts: readonly string[]): readonly (readonly [name: string, place: string | undefined])[] {
  const given = [...new Set(texts)].map(parseFeed);
  for (const [index, [name]] of given.entries()) {
    const first = given.findIndex((each) => each[0] === name);
    if (first === index) continue;
    const places = [given[first], given[index]].map((each) => each?.[1] ?? "its own address").join(" and ");
    throw new UsageError(
      `--feed: ${safeText(name)} is given twice, with ${safeText(places)}: an update reads all of a feed from one place, such as a folder`,
    );
  }
  return given;
}

function parseFeed(text: string): [name: string, place: string | undefined] {
  const equals = text.indexOf("=");
  if (equals === -1 && text !== "") return [text, undefined];
  if (equals < 1 || equals === text.length - 1) {
    throw wrongValue({ place: "--feed", expected: "NAME, NAME=PATH or NAME=URL", found: text });
  }
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** The progress text for an event. */
export function eventText(event: UpdateEvent): string {
  switch (event.kind) {
    case "chosen":
      return chosenText(event.feeds);
    case "downloading":
      return `${event.updater}: ${event.document}: ${event.bytes} bytes`;
    case "started":
      return `${event.updater}: updating`;
    case "progress":
      return `${event.updater}: ${counted(event.items, "record")} read`;
    case "storing":
      return `${event.updater}: storing, step ${event.steps + 1}`;
    case "ended":
      return `${event.result.updater}: ${event.result.kind}`;
  }
}

function report(session: Session, result: UpdateResult, feeds: readonly FeedStatus[]): void {
  const { updater } = result;
  switch (result.kind) {
    case "unchanged":
      session.io.stdout.write(`${updater}: up to date\n`);
      return;
    case "busy":
      session.fail(`${updater}: another process is updating this feed${holderText(result.holder)}; it was skipped`);
      return;
    case "failed":
      session.fail(`${updater}: ${safeText(messageOf(result.error))}; ${stateOf(updater, feeds)}`);
      return;
    case "updated":
      reportUpdated(session, result, feeds);
  }
}

/** The state of a feed after a failed update. */
function stateOf(updater: string, feeds: readonly FeedStatus[]): string {
  const loaded = feeds.find(({ name }) => name === updater);
  if (loaded === undefined) return "this feed has no loaded data";
  return `the data of its last good update are kept: ${countedRows(loaded)} of ${new Date(loaded.checkedAt).toISOString()}`;
}

/**
 * What is stored of a feed, with the word for it. A row of facts may have those of many records, such as thousands of scores: then the records are counted. After a
 * delta, which names fewer, the rows are.
 */
function countedRows({ kind, rows, account }: Pick<FeedStatus, "kind" | "rows" | "account">): string {
  return kind === "vulnerability"
    ? counted(rows, "advisory", "advisories")
    : counted(factsOf({ rows, account }), "fact");
}

function factsOf({ rows, account }: Pick<FeedStatus, "rows" | "account">): number {
  return rows === 0 ? 0 : Math.max(rows, account?.read ?? 0);
}

/** ` (process 4711, since 10:02 UTC)`, or the known part of it. */
function holderText({ processId, since }: Busy["holder"]): string {
  const parts = [
    ...(processId === undefined ? [] : [`process ${processId}`]),
    ...(since === undefined ? [] : [`since ${new Date(since).toISOString().slice(11, 16)} UTC`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

type Busy = Extract<UpdateResult, { kind: "busy" }>;

function reportUpdated(
  session: Session,
  result: Extract<UpdateResult, { kind: "updated" }>,
  feeds: readonly FeedStatus[],
): void {
  const { updater, items, changes, dropped, operation, account } = result;
  const rows = feeds.find(({ name }) => name === updater)?.rows ?? items;
  const lost = dropped.count === 0 ? "" : `, ${counted(dropped.count, "problem")}`;
  const stored = { kind: operation.kind, rows, account };
  const isByRow = operation.kind === "vulnerability" || factsOf(stored) === rows; // else the changes are those of rows, not of facts
  const changed = isByRow ? `, ${changes.added} new, ${changes.removed} gone` : "";
  session.io.stdout.write(`${updater}: ${countedRows(stored)}${changed}${lost}${leftOutText(account)}\n`);
  if (items === 0 && account !== undefined && operation.kind === "vulnerability")
    session.warn(`${updater}: ${emptyText(account)}`);
  if (dropped.count === 0) return;
  session.warn(`${updater}: ${problemsText(dropped.count)}`);
  for (const problem of dropped.first) session.warn(`${updater}: ${safeText(problemText(problem))}`);
}

/** `, 2 withdrawn, 14 skipped`: the records that are not used, in the words of {@link accountText}. */
function leftOutText({ withdrawn, skipped }: Pick<FeedAccount, "withdrawn" | "skipped"> = noneLeftOut): string {
  const count = skipped.reduce((sum, each) => sum + each.count, 0);
  return `${withdrawn > 0 ? `, ${withdrawn} withdrawn` : ""}${count > 0 ? `, ${count} skipped` : ""}`;
}

const noneLeftOut = { withdrawn: 0, skipped: [] };

/** A record may have several problems, and what else it says is used. How many records failed as a whole is in the account of the feed. */
function problemsText(count: number): string {
  return `${counted(count, "problem")}: records, or parts of records, could not be read and are missing`;
}

/** Says that a source has records, but nothing of them could be used. */
function emptyText(account: FeedAccount): string {
  return `no advisory came of ${counted(account.records, "record")}: ${accountText(account)}`;
}

/** `1590 read, 2 withdrawn, 14 skipped (not-an-advisory), 0 failed`. */
function accountText({ read, withdrawn, failed, skipped }: FeedAccount): string {
  const rules = skipped.map(({ rule, count }) => `${count} skipped (${safeText(rule)})`);
  return [`${read} read`, `${withdrawn} withdrawn`, ...rules, `${failed} failed`].join(", ");
}

/** Lines about what became of the records of a feed: the numbers, and for each rule its meaning and the first skipped record. */
function* accountLines({ name, account }: FeedStatus): Iterable<string> {
  if (account === undefined) return;
  yield "";
  yield `${name}: ${counted(account.records, "record")}: ${accountText(account)}`;
  for (const { rule, example } of account.skipped)
    yield `  ${safeText(rule)}: ${skipRuleMeaning(rule)}; the first is ${safeText(example)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function* statusLines(location: string, { feeds, failures }: DatabaseStatus): Iterable<string> {
  yield `database: ${location}`;
  if (feeds.length === 0) {
    yield "no feed is loaded: run plimsoll db update";
    yield* failures.flatMap(failureLines);
    return;
  }
  yield* layOutTable(
    [
      { title: "FEED", text: (feed) => feed.name },
      { title: "STORED", text: (feed) => countedRows(feed) },
      { title: "CHANGED", text: (feed) => new Date(feed.changedAt).toISOString() },
      { title: "CHECKED", text: (feed) => new Date(feed.checkedAt).toISOString() },
      { title: "PROBLEMS", text: (feed) => String(feed.dropped.count) },
    ],
    feeds,
  );
  for (const feed of feeds)
    if (isEmptyOfUse(feed)) yield* ["", `${feed.name}: warning: no record of the source could be used`];
  for (const feed of feeds) yield* droppedLines(feed);
  for (const feed of feeds) yield* accountLines(feed);
  yield* failures.flatMap(failureLines);
}

/** Lines about a feed's last update, which failed. */
function failureLines({ updater, failedAt, message }: FailedUpdate): readonly string[] {
  return ["", `${updater}: the last update failed at ${new Date(failedAt).toISOString()}`, `  ${safeText(message)}`];
}

/** Lines about what a feed lacks: the number of problems, and the places of the first ones. */
function* droppedLines({ name, dropped: { count, first } }: FeedStatus): Iterable<string> {
  if (count === 0) return;
  yield "";
  yield `${name}: ${problemsText(count)}`;
  for (const problem of first) yield `  ${safeText(problemText(problem))}`;
  if (count > first.length) yield `  and ${count - first.length} more`;
}
