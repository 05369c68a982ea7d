import type { CallContext } from "../context.ts";
import { formatPageToken, type PageKey, type PageTokens, pageOf, parsePageToken } from "../lists/page-tokens.ts";
import { formatDate } from "../values/dates.ts";
import { logCountView, logEntryView } from "./log-entries.ts";
import { checkAggregable, checkSpan, isAggregable, logSpan } from "./log-span.ts";
import { countLogRows, type LogFilter, type LogPosition, listLogRows } from "./queries/usage-log.ts";

/** A client's query of the usage log. */
export interface LogQuery {
  readonly starttime?: string;
  readonly endtime?: string;
  readonly performer?: string;
  readonly next_page?: string;
  /** From 1; a token outranks it. */
  readonly page?: number;
  /** Whether the first page also has the counts by day and kind. */
  readonly counts?: boolean;
}

/** The namespace and repository whose log is read; without both, the log of the whole registry. */
export type LogOwner = Pick<LogFilter, "namespaceId" | "repositoryId">;

const pageSize = 20;

/**
 * A page of the usage log, the newest first.
 * @throws RegistryError `invalid_request` for a date or a page token that cannot be read, and for a span that ends before it begins.
 *   In the log of the whole registry, such a span gives no entries instead.
 */
export async function readLogPage(context: CallContext, owner: LogOwner, query: LogQuery) {
  const { db, pageTokens, now } = context;
  const span = logSpan(query, now);
  const isWhole = owner.namespaceId === undefined && owner.repositoryId === undefined;
  if (!isWhole) checkSpan(span);
  const times = { start_time: formatDate(span.startAt), end_time: formatDate(span.endAt) };
  const pages: PageTokens = { ...pageTokens, list: listOf(owner, query), now };
  const position = positionOf(parsePageToken(pages, query.next_page), query.page);
  const found = await listLogRows(
    db,
    { ...span, ...owner, ...performerOf(query) },
    { ...position, limit: pageSize + 1 },
  );
  const { rows, ...next } = pageOf(found, pageSize, ({ at, id }) => formatPageToken(pages, [at, id]));
  const isCounted = query.counts && query.next_page === undefined && isAggregable(span);
  const counts = isCounted ? await countLogRows(db, { ...span, ...owner, ...performerOf(query) }) : undefined;
  return { ...times, logs: rows.map(logEntryView), aggregated: counts?.map(logCountView), ...next };
}

/** A page token is valid only for the log and the filters of the page that returned it. */
function listOf({ namespaceId, repositoryId }: LogOwner, query: LogQuery): PageTokens["list"] {
  const { starttime, endtime, performer } = query;
  return `logs of ${JSON.stringify({ namespaceId, repositoryId, starttime, endtime, performer: performer || undefined })}`;
}

/**
 * The position at which a page begins: after the entry that its token names, or as many pages from the newest entry as its number
 * says.
 */
function positionOf(key: PageKey | undefined, page = 1): LogPosition {
  return key === undefined ? { offset: (page - 1) * pageSize } : { after: [Number(key[0]), Number(key[1])] };
}

/** The usage log counted by day and kind. @throws RegistryError `invalid_request` for a span of more than a month, or one that ends before it begins */
export async function readAggregatedLog(context: CallContext, owner: LogOwner, query: LogQuery) {
  const span = logSpan(query, context.now);
  checkAggregable(span);
  const counts = await countLogRows(context.db, { ...span, ...owner, ...performerOf(query) });
  return { aggregated: counts.map(logCountView) };
}

function performerOf({ performer }: LogQuery): Pick<LogFilter, "performerName"> {
  return performer ? { performerName: performer } : {};
}
