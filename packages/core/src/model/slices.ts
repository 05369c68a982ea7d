/** Called between the steps of long work, so that the thread can do other work; what it returns is awaited. */
export type YieldToOthers = () => unknown;

/** Items of a long list that are processed without a pause: a few milliseconds. */
const sliceLength = 500;

/** A list in slices. */
export function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += sliceLength) yield items.slice(at, at + sliceLength);
}

/** Long work in steps: the caller may do other work between them. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs all steps without a pause. */
export function allAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs all steps, and yields to other work after each. */
export async function inSlices<Result>(steps: Steps<Result>, yieldToOthers: YieldToOthers): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToOthers();
  }
}
