import { invalidRequest } from "@plimsoll/registry/errors";

/** The deepest nesting of values: more than real requests have, and not enough to overflow the call stack. */
const maxDepth = 100;

/** Control characters except tabs and line breaks, and lone surrogates. PostgreSQL cannot store all of them. */
const forbidden = /[\p{Cs}]|[^\P{Cc}\t\n\r]/u;

/**
 * Refuses values that are nested too deeply, and forbidden characters in texts and in names of members.
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

/** Whether a text can be a name in a path: without control characters, and no longer than the longest name of a robot. */
export function isPathText(text: string): boolean {
  return text.length <= 511 && !/[\p{Cs}\p{Cc}]/u.test(text);
}

function checkText(text: string, part: string): void {
  const [found] = forbidden.exec(text) ?? [];
  if (found === undefined) return;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw invalidRequest(`${part}: a string contains the character U+${code}`);
}
