/**
 * How many characters a name has at most of what is stored: namespaces, repositories, robots (two names and a plus), e-mail
 * addresses. Nothing is looked up by a longer one.
 */
export const longestName = 511;
