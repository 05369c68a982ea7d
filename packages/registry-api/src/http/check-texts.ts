import { invalidRequest } from "../errors.ts";

/** How deep values may be nested: more than a real request needs, and less than a call stack holds. */
const maxDepth = 100;

/** Control characters but for tabs and the ends of lines, and halves of characters. PostgreSQL stores not all of them. */
const odd = /[\p{Cs}]|[^\P{Cc}\t\n\r]/u;

/**
 * Refuses what is nested too deep to be written again, and characters that no text has, also in the names of members.
 * @throws RegistryError `invalid_request`
 */
export function checkTexts(value: unknown, part: string, depth = 0): void {
  if (typeof value === "string") checkText(value, part);
  if (typeof value !== "object" || value === null) return;
  if (depth === maxDepth) throw invalidRequest(`${part}: is nested more than ${maxDepth} deep`);
  for (const name of Object.keys(value)) {
    checkText(name, part);
    checkTexts((value as Readonly<Record<string, unknown>>)[name], part, depth + 1);
  }
}

/** Whether a text can be a name in a path: what is on one line, and no longer than the names of robots. */
export function isPathText(text: string): boolean {
  return text.length <= 511 && !/[\p{Cs}\p{Cc}]/u.test(text);
}

function checkText(text: string, part: string): void {
  const [found] = odd.exec(text) ?? [];
  if (found === undefined) return;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw invalidRequest(`${part}: a string contains the character U+${code}`);
}
