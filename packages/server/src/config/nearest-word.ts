/** The word of `words` with the smallest edit distance from `word`. `words` must not be empty. */
export function nearestWord(word: string, words: readonly string[]): string {
  const [nearest = ""] = words.toSorted((a, b) => editDistance(word, a) - editDistance(word, b));
  return nearest;
}

/** The Levenshtein distance: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
