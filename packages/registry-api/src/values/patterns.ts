import { RE2JS, RE2JSException } from "re2js";
import { invalidRequest } from "../errors.ts";

/** The most characters of an expression. */
const maxPatternLength = 256;

/** Whether a text matches an expression. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles a client's regular expression, which may be matched against many tags. The syntax is RE2, without look-around and
 * back-references, so that the time of a match is linear in the text.
 * @param field the name of the field, for the message
 * @throws RegistryError `invalid_request`
 * @see https://github.com/google/re2/wiki/Syntax
 *
 * @example
 * compilePattern("tagPattern", "^v[0-9]+$")("v1"); // true
 */
export function compilePattern(field: string, pattern: string): Matcher {
  const expression = compile(field, pattern);
  return (text) => expression.matcher(text).find();
}

/**
 * As {@link compilePattern}, for expressions that must match the whole text.
 *
 * @example
 * compileWholePattern("tagPattern", "v[0-9]+")("dev1"); // false
 */
export function compileWholePattern(field: string, pattern: string): Matcher {
  const expression = compile(field, pattern);
  return (text) => expression.matcher(text).matches();
}

function compile(field: string, pattern: string): RE2JS {
  if (pattern.length > maxPatternLength) throw invalidRequest(`${field}: longer than ${maxPatternLength} characters`);
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    const reason = cause.message.replace(/^error parsing regexp: /, "");
    throw invalidRequest(`${field}: is not a regular expression in RE2 syntax: ${reason}`);
  }
}
