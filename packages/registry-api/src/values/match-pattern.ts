/**
 * Whether a regular expression is found in a text, without trying one way after another: all places that a match can have reached
 * are moved on together, as the bits of a number. An expression of 256 characters takes some milliseconds at most, whatever it is.
 *
 *     expression = branch{|branch}
 *     branch     = {part[repetition]}
 *     part       = character | escape | class | . | ^ | $ | \b | \B | (expression) | (?:expression)
 *     repetition = (* | + | ? | {m} | {m,} | {m,n})[?]
 */

/** From the places where a part begins to those where it can end. Bit `i` is the place before the text's character `i`. */
type Step = (from: bigint) => bigint;

/** A part of an expression, for one text after the other. */
type Part = (text: readonly string[]) => Step;

/** Whether a text has what an expression describes. */
export type Matcher = (text: string) => boolean;

const tokenPattern =
  /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]*\}|c[a-z]|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?:)?|[*+?]\??|\{[\d,]+\}\??|./giu;

/** Compiles an expression that `checkPattern` takes. */
export function compilePattern(pattern: string): Matcher {
  const tokens = Array.from(pattern.matchAll(tokenPattern), ([token]) => token);
  const whole = parseExpression(tokens.reverse());
  return (given) => {
    const text = [...given];
    const everywhere = (1n << BigInt(text.length + 1)) - 1n;
    return whole(text)(everywhere) !== 0n;
  };
}

/** @param tokens the next one last; what was read is taken away */
function parseExpression(tokens: string[]): Part {
  const branches: Part[][] = [[]];
  for (let token = tokens.pop(); token !== undefined && token !== ")"; token = tokens.pop()) {
    if (token === "|") branches.push([]);
    else branches.at(-1)?.push(parseRepetition(parsePart(token, tokens), tokens));
  }
  return choice(branches.map(sequence));
}

function parsePart(token: string, tokens: string[]): Part {
  if (token.startsWith("(")) return parseExpression(tokens);
  if (token === "^") return places((at) => at === 0);
  if (token === "$") return places((at, text) => at === text.length);
  if (token === "\\b") return places((at, text) => isEdge(at, text));
  if (token === "\\B") return places((at, text) => !isEdge(at, text));
  const one = new RegExp(`^${token}$`, "u");
  const found = places((at, text) => at < text.length && one.test(text[at] ?? ""));
  return (text) => {
    const step = found(text);
    return (from) => step(from) << 1n;
  };
}

function parseRepetition(part: Part, tokens: string[]): Part {
  const token = tokens.at(-1) ?? "";
  if (!/^[*+?{]/.test(token)) return part;
  tokens.pop();
  const [, min, max = min] = /^\{(\d+)(?:,(\d*))?/.exec(token) ?? [];
  if (min !== undefined) return repeat(part, Number(min), max === "" ? Number.POSITIVE_INFINITY : Number(max));
  return repeat(part, token.startsWith("+") ? 1 : 0, token.startsWith("?") ? 1 : Number.POSITIVE_INFINITY);
}

/** What takes no character, at some places of a text. */
function places(isPlace: (at: number, text: readonly string[]) => boolean): Part {
  return (text) => {
    let found = 0n;
    for (let at = 0; at <= text.length; at++) if (isPlace(at, text)) found |= 1n << BigInt(at);
    return (from) => from & found;
  };
}

function isEdge(at: number, text: readonly string[]): boolean {
  const isWord = (character = "") => /^\w$/.test(character);
  return isWord(text[at - 1]) !== isWord(text[at]);
}

function sequence(parts: readonly Part[]): Part {
  return (text) => {
    const steps = parts.map((part) => part(text));
    return (from) => steps.reduce((at, step) => step(at), from);
  };
}

function choice(parts: readonly Part[]): Part {
  return (text) => {
    const steps = parts.map((part) => part(text));
    return (from) => steps.reduce((reached, step) => reached | step(from), 0n);
  };
}

/** Nothing new is reached by more rounds than there are places. */
function repeat(part: Part, min: number, max: number): Part {
  return (text) => {
    const step = part(text);
    return (from) => {
      let added = from;
      for (let round = 0; round < Math.min(min, text.length + 2); round++) added = step(added);
      let reached = added;
      for (let round = min; round < max && added !== 0n; round++) {
        added = step(added) & ~reached;
        reached |= added;
      }
      return reached;
    };
  };
}
