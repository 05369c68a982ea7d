/** Called between the steps of long work, so that the thread can do other work; what it returns is awaited. */
export type YieldToOthers = () => unknown;

/** Items of a long list that are processed without a pause: a few milliseconds. */
const sliceLength = 500;

/** A list in slices. */
export function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += sliceLength) yield items.slice(at, at + sliceLength);
}
