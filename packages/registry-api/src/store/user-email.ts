/** How many characters an e-mail address has at most (RFC 5321 §4.5.3.1.3). Nothing is looked up by a longer one. */
export const longestEmail = 254;

/**
 * What no two users have in common: the index and those who look it up say it alike. The index is of an expression and not of
 * some rows (`where kind = 'user'`), since SQLite would plan every statement with `kind = ?` anew each time it runs.
 */
export const userEmail = "case when kind = 'user' then lower(email) end";
