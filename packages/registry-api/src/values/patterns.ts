import { invalidRequest } from "../errors.ts";

/** Longer expressions are refused. */
const maxPatternLength = 256;

/**
 * Checks an expression of a client, which will meet very many tags: it must be one that `compilePattern` matches soon. So a group
 * that repeats or branches is not repeated, and there is neither look-around nor back-reference.
 * @param field for the message
 * @throws RegistryError `invalid_request`
 */
export function checkPattern(field: string, pattern: string): void {
  if (pattern.length > maxPatternLength) throw invalidRequest(`${field}: longer than ${maxPatternLength} characters`);
  try {
    new RegExp(pattern, "u");
  } catch (cause) {
    throw invalidRequest(`${field}: is no regular expression: ${cause instanceof Error ? cause.message : cause}`);
  }
  if (/\\[1-9k]|\(\?(?!:)/.test(pattern)) {
    throw invalidRequest(`${field}: look-around, named groups and back-references are not supported`);
  }
  if (repeatsRepetition(pattern)) throw invalidRequest(`${field}: a group that repeats or branches cannot be repeated`);
}

/** Escapes, classes, openings of groups, their ends with what repeats them, and whatever repeats or branches. */
const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?:)?|\)([*+{]?)|[*+{|]/gu;

function repeatsRepetition(pattern: string): boolean {
  const groups: { hasChoice: boolean }[] = [{ hasChoice: false }];
  for (const [token, repetition] of pattern.matchAll(tokens)) {
    const group = groups.at(-1) ?? { hasChoice: false };
    if (token.startsWith("(")) groups.push({ hasChoice: false });
    else if (token.startsWith(")")) {
      groups.pop();
      if (group.hasChoice && repetition !== "") return true;
      const outer = groups.at(-1);
      if (outer !== undefined) outer.hasChoice ||= group.hasChoice || repetition !== "";
    } else if (/^[*+{|]/.test(token)) group.hasChoice = true;
  }
  return false;
}
