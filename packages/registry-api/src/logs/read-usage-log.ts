import type { OperationContext } from "../context.ts";
import { formatPageToken, type PageKey, type PageTokens, pageOf, parsePageToken } from "../lists/page-tokens.ts";
import { formatDate } from "../values/dates.ts";
import { checkAggregable, checkSpan, isAggregable, logSpan } from "./log-span.ts";
import { countLogRows, type LogFilter, type LogPlaceInList, listLogRows } from "./queries/usage-log.ts";
import { logCountView, logEntryView } from "./views.ts";

/** A client's query of the usage log. */
export interface LogQuestion {
  readonly starttime?: string;
  readonly endtime?: string;
  readonly performer?: string;
  readonly next_page?: string;
  /** From 1; a token outranks it. */
  readonly page?: number;
  /** Whether the first page also has how often things were done, by day. */
  readonly counts?: boolean;
}

/** The namespace and repository whose log it is; absent parts do not matter. */
export type LogOwner = Pick<LogFilter, "namespaceId" | "repositoryId">;

const pageSize = 20;

/**
 * A page of the usage log, the newest first.
 * @throws RegistryError `invalid_request` for a date or a page token that cannot be read, and for a span that ends before it begins;
 *   in the log of the whole registry that has no entries
 */
export async function readLogPage(context: OperationContext, owner: LogOwner, question: LogQuestion) {
  const { db, pageTokens, now } = context;
  const span = logSpan(question, now);
  const isWhole = owner.namespaceId === undefined && owner.repositoryId === undefined;
  if (!isWhole) checkSpan(span);
  const times = { start_time: formatDate(span.startAt), end_time: formatDate(span.endAt) };
  const pages: PageTokens = { sealer: pageTokens, list: listOf(owner, question), now };
  const place = placeOf(parsePageToken(pages, question.next_page), question.page);
  const found = await listLogRows(
    db,
    { ...span, ...owner, ...performerOf(question) },
    { ...place, limit: pageSize + 1 },
  );
  const { rows, ...next } = pageOf(found, pageSize, ({ at, id }) => formatPageToken(pages, [at, id]));
  const isCounted = question.counts && question.next_page === undefined && isAggregable(span);
  const counts = isCounted ? await countLogRows(db, { ...span, ...owner, ...performerOf(question) }) : undefined;
  return { ...times, logs: rows.map(logEntryView), ...(counts && { aggregated: counts.map(logCountView) }), ...next };
}

/** A page token is valid only for the log and the filters of the page that returned it. */
function listOf({ namespaceId, repositoryId }: LogOwner, question: LogQuestion): PageTokens["list"] {
  const { starttime, endtime, performer } = question;
  return `logs of ${JSON.stringify({ namespaceId, repositoryId, starttime, endtime, performer: performer || undefined })}`;
}

/**
 * The position at which a page begins: after the entry that its token names, or as many pages from the newest entry as its number
 * says.
 */
function placeOf(key: PageKey | undefined, page = 1): LogPlaceInList {
  return key === undefined ? { offset: (page - 1) * pageSize } : { after: [Number(key[0]), Number(key[1])] };
}

/** The usage log counted by day and kind. @throws RegistryError `invalid_request` for more than a month, or less than nothing */
export async function readAggregatedLog(context: OperationContext, owner: LogOwner, question: LogQuestion) {
  const span = logSpan(question, context.now);
  checkAggregable(span);
  const counts = await countLogRows(context.db, { ...span, ...owner, ...performerOf(question) });
  return { aggregated: counts.map(logCountView) };
}

function performerOf({ performer }: LogQuestion): Pick<LogFilter, "performerName"> {
  return performer ? { performerName: performer } : {};
}
