import { type RawBuilder, sql } from "kysely";

const hourMs = 3_600_000;

/**
 * The hour of an instant, counted from 1970. Results of statements are cached by their parameters, so a parameter that changes once an
 * hour is cached, and an instant is not. Read the rows that were alive when the hour began; only if some have ended since, read by the
 * instant.
 */
export function hourOf(now: number): number {
  return Math.floor(now / hourMs);
}

/** The instant at which an hour began, as an expression. */
export function startOfHour(hour: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`cast(${hour} as bigint) * ${sql.lit(hourMs)}`;
}

/** Whether a row has not ended at an instant. */
export function isAlive({ end_at }: { readonly end_at: number | null }, now: number): boolean {
  return end_at === null || end_at > now;
}
