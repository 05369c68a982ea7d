/** How much a JSON document may hold, in addition to its bytes. */
export interface JsonLimits {
  /** Values, with lists, objects and all that is in them. */
  readonly mostValues: number;
  /** How deep lists and objects are nested. */
  readonly mostDepth: number;
}

/** Limits for documents that clients write: parsing one takes tens of milliseconds at most. No tool writes larger manifests or configurations. */
export const usualJsonLimits: JsonLimits = { mostValues: 100_000, mostDepth: 100 };

/**
 * Why a JSON document is too costly to parse; undefined if it is not. A few megabytes of nested lists take seconds, and objects of hundreds of
 * thousands of members too. Reads the text once and makes nothing; a text that is no JSON has no problem here, or any.
 *
 * @example
 * problemOfJson("[[1, 2]]", { mostValues: 10, mostDepth: 1 }); // "is nested more than 1 deep"
 */
export function problemOfJson(text: string, { mostValues, mostDepth }: JsonLimits): string | undefined {
  let [values, depth] = [1, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values++;
    else if (code === openList || code === openObject) {
      values++;
      if (++depth > mostDepth) return `is nested more than ${mostDepth} deep`;
    } else if (code === closeList || code === closeObject) depth--;
    if (values > mostValues) return `has more than ${mostValues} values`;
  }
  return undefined;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The place of the quote that ends a text. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
