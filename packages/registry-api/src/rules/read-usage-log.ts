import type { OperationContext } from "../context.ts";
import { countLogRows, type LogFilter, listLogRows } from "../store/usage-log.ts";
import { formatDate } from "../views/dates.ts";
import { logCountView, logEntryView } from "../views/usage-log.ts";
import { checkAggregable, checkSpan, logSpan } from "./log-span.ts";
import { formatPageToken, type PageKey, pageOf, parsePageToken } from "./page-tokens.ts";

/** What a client asks of the usage log. */
export interface LogQuestion {
  readonly starttime?: string;
  readonly endtime?: string;
  readonly performer?: string;
  readonly next_page?: string;
}

/** Whose log it is; absent parts do not matter. */
export type LogOwner = Pick<LogFilter, "namespaceId" | "repositoryId">;

const pageSize = 20;

/**
 * A page of the usage log, the newest first.
 * @throws RegistryError `invalid_request` for a span that ends before it begins; in the log of the whole registry it has no entries
 */
export async function readLogPage(context: OperationContext, owner: LogOwner, question: LogQuestion) {
  const { db, pageTokens, now } = context;
  const span = logSpan(question.starttime, question.endtime, now);
  const isWhole = owner.namespaceId === undefined && owner.repositoryId === undefined;
  if (!isWhole) checkSpan(span);
  const times = { start_time: formatDate(span.startAt), end_time: formatDate(span.endAt) };
  const after = logKey(parsePageToken(pageTokens, question.next_page, now));
  const found = await listLogRows(db, { ...span, ...owner, ...performerOf(question) }, { after, limit: pageSize + 1 });
  const { rows, ...next } = pageOf(found, pageSize, ({ at, id }) => formatPageToken(pageTokens, [at, id], now));
  return { ...times, logs: rows.map((row) => logEntryView(row, { withNamespace: isWhole })), ...next };
}

/** The instant and the id of the last entry; the token of another list names none. */
function logKey(key: PageKey = []): readonly [at: number, id: number] | undefined {
  const [at, id] = key;
  return typeof at === "number" && typeof id === "number" ? [at, id] : undefined;
}

/** The usage log counted by day and kind. @throws RegistryError `invalid_request` for more than a month, or less than nothing */
export async function readAggregatedLog(context: OperationContext, owner: LogOwner, question: LogQuestion) {
  const span = logSpan(question.starttime, question.endtime, context.now);
  checkAggregable(span);
  const counts = await countLogRows(context.db, { ...span, ...owner, ...performerOf(question) });
  return { aggregated: counts.map(logCountView) };
}

function performerOf({ performer }: LogQuestion): Pick<LogFilter, "performerName"> {
  return performer ? { performerName: performer } : {};
}
