import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { invalidRequest } from "@plimsoll/registry/errors";
import { type OrderBy, readOrder } from "@plimsoll/registry/lists/list-pages";
import {
  formatPageToken,
  type PageKey,
  type PageTokens,
  pageOf,
  parsePageToken,
} from "@plimsoll/registry/lists/page-tokens";
import { checkAggregable, checkSpan, isAggregable, type LogOwner, logSpan } from "@plimsoll/registry/logs/log-span";
import {
  countLogRows,
  type LogCount,
  type LogFilter,
  type LogPosition,
  listLogRows,
} from "@plimsoll/registry/logs/queries/usage-log";
import { formatDate } from "@plimsoll/registry/values/dates";
import { logKinds } from "@plimsoll/registry/values/log-kinds";
import { type Static, Type } from "typebox";
import { LogEntry, logEntryView, Namespace, noAccount, Performer, wholeRegistry } from "./log-entries.ts";

const Aggregated = Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer(), datetime: Type.String() }));

/** A page of the usage log. */
export const LogPage = Type.Object({
  start_time: Type.String(),
  end_time: Type.String(),
  logs: Type.Array(LogEntry),
  aggregated: Type.Optional(
    Type.Unsafe<Static<typeof Aggregated>>({
      ...Aggregated,
      description: "Only where the query asks for it, on the first page, and for at most 31 days",
    }),
  ),
  next_page: Type.Optional(Type.String()),
});

export type LogPage = Static<typeof LogPage>;

/** An entry in the reference profile. */
const ReferenceLogEntry = Type.Object({
  ...LogEntry.properties,
  ip: Type.Union([Type.String(), Type.Null()]),
  performer: Type.Optional(Performer),
  namespace: Type.Optional(Namespace),
});

/** A page of the usage log in the reference profile. */
export const ReferenceLogPage = Type.Object({ ...LogPage.properties, logs: Type.Array(ReferenceLogEntry) });

/** A page in the form of the reference: what an entry does not have is null or absent. */
export function referenceLogPage({ logs, ...page }: LogPage): Static<typeof ReferenceLogPage> {
  return { ...page, logs: logs.map(referenceLogEntry) };
}

function referenceLogEntry({ ip, performer, namespace, ...entry }: LogEntry): Static<typeof ReferenceLogEntry> {
  return {
    ...entry,
    ip: ip === "" ? null : ip,
    performer: performer !== noAccount ? performer : undefined,
    namespace: namespace !== wholeRegistry ? namespace : undefined,
  };
}

/** How many entries each kind has on each day. */
export const AggregatedLogs = Type.Object({ aggregated: Aggregated });

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
  readonly order?: OrderBy<"at">;
  /** Names of kinds with commas between them. */
  readonly kinds?: string;
  /** `NAMESPACE/NAME` */
  readonly repository?: string;
}

const pageSize = 20;

/** The kinds that a query names; undefined if it names none. @throws RegistryError `invalid_request` */
function kindsOf({ kinds = "" }: LogQuery): readonly string[] | undefined {
  const named = kinds.split(",").filter((each) => each !== "");
  const unknown = named.find((each) => !logKinds.some((kind) => kind === each));
  if (unknown !== undefined) throw invalidRequest(`kinds: there is no kind of entries ${JSON.stringify(unknown)}`);
  return named.length === 0 ? undefined : named;
}

/** The log of a repository of the owner, if the query names one. The id of one that does not exist is the empty text, which no entry has. */
async function narrowed({ db }: CallContext, owner: LogOwner, { repository }: LogQuery): Promise<LogOwner> {
  if (!repository) return owner;
  const { namespace, name } = splitRepository(repository);
  const found = await findImageRepository(db, namespace, name);
  return { repositoryId: found?.id ?? "" };
}

/**
 * A page of the usage log, the newest first where no order is asked for.
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
  const filter = { ...span, ...(await narrowed(context, owner, query)), ...performerOf(query) };
  const found = await listLogRows(
    db,
    { ...filter, kinds: kindsOf(query) },
    { ...position, limit: pageSize + 1, ...readOrder(query.order ?? "-at") },
  );
  const { rows, ...next } = pageOf(found, pageSize, ({ at, id }) => formatPageToken(pages, [at, id]));
  const isCounted = query.counts && query.next_page === undefined && isAggregable(span);
  const counts = isCounted ? await countLogRows(db, filter) : undefined;
  return { ...times, logs: rows.map(logEntryView), aggregated: counts?.map(logCountView), ...next };
}

/** A page token is valid only for the log and the filters of the page that returned it. */
function listOf({ namespaceId, repositoryId }: LogOwner, query: LogQuery): PageTokens["list"] {
  const { starttime, endtime, performer, order, kinds, repository } = query;
  return `logs of ${JSON.stringify({ namespaceId, repositoryId, starttime, endtime, performer: performer || undefined, order, kinds, repository })}`;
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

/** A day's count of one kind as clients see it. */
export function logCountView({ kind, count, day }: LogCount): Static<typeof AggregatedLogs>["aggregated"][number] {
  return { kind, count: Number(count), datetime: formatDate(Number(day) * 86_400_000) };
}
