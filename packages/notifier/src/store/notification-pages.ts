import type { Notification, NotificationPage, VulnerabilitySummary } from "../values/notification.ts";
import type { NotifierStore } from "./tables.ts";

/** Selects a page of a set. */
export interface PageOptions {
  readonly size: number;
  /** The last notification of the page before; absent for the first page. */
  readonly after?: PagePlace;
}

/** A notification's place in its set, with its id, which identifies the set: the same place in another set has another id. */
export interface PagePlace {
  readonly seq: number;
  readonly id: string;
}

/** Parses `page.next`; undefined for a malformed text. */
export function parsePagePlace(text: string): PagePlace | undefined {
  const [, seq, id] = /^([1-9]\d{0,8})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  return seq === undefined || id === undefined ? undefined : { seq: Number(seq), id };
}

/** Whether a set has the notification at the place. */
export async function hasPlace({ db }: NotifierStore, setId: string, { seq, id }: PagePlace): Promise<boolean> {
  const row = await db
    .selectFrom("notification")
    .select("id")
    .where("set_id", "=", setId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  return row?.id === id;
}

/**
 * Reads a page of a set in order. An unknown or deleted set has no notifications. Both reads use a range of a primary key that is no larger
 * than the page, so every page costs the same, independent of the planner's statistics.
 */
export async function readPage(
  { db }: NotifierStore,
  setId: string,
  { size, after }: PageOptions,
): Promise<NotificationPage> {
  const seq = after?.seq ?? 0;
  const rows = await db
    .selectFrom("notification")
    .select(["seq", "id", "manifest", "reason", "vulnerability"])
    .where("set_id", "=", setId)
    .where("seq", ">", seq)
    .where("seq", "<=", seq + size + 1) // numbers have no gaps
    .orderBy("seq")
    .execute();
  const kept = rows.slice(0, size);
  const last = rows.length > size ? kept.at(-1) : undefined;
  const summaries = await readSummaries(db, setId, [...new Set(kept.map(({ vulnerability }) => vulnerability))]);
  return {
    page: { size: kept.length, next: last && formatPagePlace(last) },
    notifications: kept.flatMap(({ id, manifest, reason, vulnerability: number }): readonly Notification[] => {
      const vulnerability = summaries.get(number);
      return vulnerability === undefined ? [] : [{ id, manifest, reason, vulnerability }]; // the set was just deleted
    }),
  };
}

/** Formats a place as `page.next`. */
function formatPagePlace({ seq, id }: PagePlace): string {
  return `${seq}.${id}`;
}

async function readSummaries(
  db: NotifierStore["db"],
  setId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, VulnerabilitySummary>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("notified_vulnerability")
    .select(["number", "summary"])
    .where("set_id", "=", setId)
    .where("number", "in", numbers)
    .execute();
  return new Map(rows.map(({ number, summary }) => [number, JSON.parse(summary) as VulnerabilitySummary]));
}
