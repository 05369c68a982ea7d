/** An authentication method that a server offers. */
export interface Challenge {
  /** Lower-case: `bearer`, `basic`. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const maxHeaderLength = 16 * 1024;
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const part = new RegExp(`[\\s,]*(${token})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))|(?=[\\s,]|$))`, "y");

/**
 * Parses the challenges of a `WWW-Authenticate` header. Parsing stops at the first syntax error; the challenges before it count.
 *
 *     header    = challenge { "," challenge }
 *     challenge = scheme [ parameter { "," parameter } ]
 *     parameter = name "=" ( token | quoted string )
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  const text = header.slice(0, maxHeaderLength);
  part.lastIndex = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [, name = "", quoted, plain] = match;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return challenges;
}
