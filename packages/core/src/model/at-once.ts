/**
 * What a plug-in returned. Plug-ins that are pure functions must return their result itself: a promise would otherwise look like a result without
 * content. Its error is not left unhandled.
 * @param what names the function in the message
 * @param plugin the name of the plug-in, if `what` is only the name of its method: most calls never need a message
 * @throws TypeError for a promise or an asynchronous sequence
 */
export function atOnce<Result>(result: Result, what: string, plugin?: string): Result {
  if (typeof result !== "object" || result === null) return result;
  return checked(result, () => (plugin === undefined ? what : `${what} of ${plugin}`));
}

/**
 * The sequence that a plug-in returned.
 * @throws TypeError as {@link atOnce}, and for a value that is no sequence
 */
export function sequenceOf<Item>(result: Iterable<Item>, what: string): Iterable<Item> {
  const found: unknown = atOnce(result, what);
  if (typeof found === "object" && found !== null && Symbol.iterator in found) return result;
  throw new TypeError(`${what}: expected a sequence, found ${nameOfValue(found)}`);
}

/** A value of a plug-in in messages. */
export function nameOfValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  if ("then" in value && typeof value.then === "function") {
    value.then(undefined, () => {});
    return "a promise: it must not be asynchronous";
  }
  return Array.isArray(value) ? "a list" : "an object";
}

function checked<Result extends object>(result: Result, what: () => string): Result {
  if ("then" in result && typeof result.then === "function") {
    result.then(undefined, () => {});
    throw new TypeError(`${what()} returned a promise: it must not be asynchronous`);
  }
  if (Symbol.asyncIterator in result && !(Symbol.iterator in result))
    throw new TypeError(`${what()} returned an asynchronous sequence: it must not be asynchronous`);
  return result;
}
