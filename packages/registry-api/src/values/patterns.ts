import { RE2JS, RE2JSException } from "re2js";
import { invalidRequest } from "../errors.ts";

/** Longer expressions are refused. */
const maxPatternLength = 256;

/** Whether a text has what an expression describes. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles an expression of a client, which will meet very many tags. Its language is RE2, which is matched in a time that grows
 * with the text alone, whatever the expression: there is neither look-around nor back-reference.
 * @param field for the message
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
 * As {@link compilePattern}, for expressions that describe the whole text.
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
