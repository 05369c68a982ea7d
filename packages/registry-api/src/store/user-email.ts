/** How many characters an e-mail address has at most (RFC 5321 §4.5.3.1.3). Nothing is looked up by a longer one. */
export const longestEmail = 254;

/**
 * The expression that is unique among users. The index and the queries must have the same text. The index is of an expression and
 * not of some rows (`where kind = 'user'`), since SQLite would plan every statement with `kind = ?` again each time it runs.
 */
export const userEmail = "case when kind = 'user' then lower(email) end";
