/** The most characters of an e-mail address (RFC 5321 §4.5.3.1.3). Longer ones are not searched for. */
export const longestEmail = 254;

/**
 * The expression of the unique index on e-mail addresses of users. Queries must contain the same text. It is an index on an expression
 * and not a partial one (`where kind = 'user'`), since SQLite would plan every statement with `kind = ?` again each time it runs.
 */
export const userEmail = "case when kind = 'user' then lower(email) end";
