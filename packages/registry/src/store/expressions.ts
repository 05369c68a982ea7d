import { type RawBuilder, type SqlBool, sql } from "kysely";

const hourMs = 3_600_000;

/** The most characters of an e-mail address (RFC 5321 §4.5.3.1.3). Longer ones are not searched for. */
export const longestEmail = 254;

/**
 * The expression of the unique index on e-mail addresses of users. Queries must contain the same text. It is an index on an expression
 * and not a partial one (`where kind = 'user'`), since SQLite would plan every statement with `kind = ?` again each time it runs.
 */
export const userEmail = "case when kind = 'user' then lower(email) end";

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

/** A condition as a column with the values 0 and 1 on both databases. */
export function asNumber(condition: RawBuilder<SqlBool>): RawBuilder<0 | 1> {
  return sql<0 | 1>`case when ${condition} then 1 else 0 end`;
}

/** The pattern by which `like` finds lower-case texts that contain a part. The escape character is a backslash. */
export function likeText(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** A text that sorts after all texts with a prefix, in byte order. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
