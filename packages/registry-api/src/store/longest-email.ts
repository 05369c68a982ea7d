/** How many characters an e-mail address has at most (RFC 5321 §4.5.3.1.3). Nothing is looked up by a longer one. */
export const longestEmail = 254;
