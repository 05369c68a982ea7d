/** The most texts in the cache, and their greatest length, so that no client can fill the memory. */
const maxTexts = 256;
const maxLength = 256;

/**
 * Caches the results of `find`, for values that depend only on a request header. Errors are not cached.
 * @example
 * const encodingOf = remember((header) => header?.split(",").map((each) => each.trim()) ?? []);
 * encodingOf("gzip, br"); // ["gzip", "br"]
 */
export function remember<Found>(
  find: (text: string | undefined) => Found,
): (text: string | undefined) => Found | undefined {
  const known = new Map<string | undefined, Found>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before;
    const found = find(text);
    if (text !== undefined && text.length > maxLength) return found;
    if (known.size === maxTexts) known.clear();
    known.set(text, found);
    return found;
  };
}
