/** So many texts are remembered, up to this length: headers repeat themselves, and no client can fill the memory with others. */
const maxTexts = 256;
const maxLength = 256;

/**
 * `find` with a memory, for what follows from a request header alone. What is thrown is not remembered.
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
