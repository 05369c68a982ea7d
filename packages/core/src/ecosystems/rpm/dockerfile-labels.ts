/** The characters that are read of one instruction; those of Red Hat's images have a hundredth of it. */
const maxInstruction = 64 * 1024;

/**
 * Parses the labels that a Dockerfile sets. The last value of each label counts.
 *
 * ```
 * instruction = "LABEL" pair {pair}         a backslash at the end of a line continues it
 * pair        = text "=" text               text in single or double quotes, or without blanks
 * ```
 * @see https://docs.docker.com/reference/dockerfile/#label
 */
export function dockerfileLabels(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const instruction of text.replaceAll(/\\\r?\n/g, " ").split("\n")) {
    const [word = "", ...pairs] = wordsOf(instruction.trim().slice(0, maxInstruction));
    if (word.toUpperCase() !== "LABEL") continue;
    for (const pair of pairs) {
      const end = pair.indexOf("=");
      if (end > 0) labels.set(pair.slice(0, end), pair.slice(end + 1));
    }
  }
  return labels;
}

/** Splits at blanks outside quotes, and removes the quotes. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (const character of text) {
    if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (quote !== "" || !/\s/.test(character)) word += character;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return word === "" ? words : [...words, word];
}
