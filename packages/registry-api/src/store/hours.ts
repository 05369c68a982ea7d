import { type RawBuilder, sql } from "kysely";

const hourMs = 3_600_000;

/**
 * The hour of an instant, counted from 1970. What is looked up by an hour is remembered, by an instant it is not: look up what is
 * alive since the hour began, and only where some of that is not alive any more, by the instant.
 */
export function hourOf(now: number): number {
  return Math.floor(now / hourMs);
}

/** The instant at which an hour began, as an expression. */
export function startOfHour(hour: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`cast(${hour} as bigint) * ${sql.lit(hourMs)}`;
}

/** Whether something that ends then, or never, is alive. */
export function isAlive({ end_at }: { readonly end_at: number | null }, now: number): boolean {
  return end_at === null || end_at > now;
}
