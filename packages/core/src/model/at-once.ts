/**
 * What a plug-in returned. Plug-ins that are pure functions must return their result itself: a promise would otherwise look like a result without
 * content. Its error is not left unhandled.
 * @param what names the function in the message
 * @throws TypeError for a promise or an asynchronous sequence
 */
export function atOnce<Result>(result: Result, what: string): Result {
  if (typeof result !== "object" || result === null) return result;
  if ("then" in result && typeof result.then === "function") {
    result.then(undefined, () => {});
    throw new TypeError(`${what} returned a promise: it must not be asynchronous`);
  }
  if (Symbol.asyncIterator in result && !(Symbol.iterator in result))
    throw new TypeError(`${what} returned an asynchronous sequence: it must not be asynchronous`);
  return result;
}
