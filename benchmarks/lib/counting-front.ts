import { startFront } from "../../tests/support/http-front.ts";

/** What was moved through a {@link CountingFront}, and how long it took. */
export interface Moved {
  /** Of the bodies of answers. */
  readonly bytes: number;
  readonly seconds: number;
}

/** A server before another that counts what that one answers. */
export interface CountingFront extends AsyncDisposable {
  readonly url: string;
  measure(work: () => Promise<void>): Promise<Moved>;
}

/** Starts a server before another, on the loopback interface. */
export async function countingFront(target: string): Promise<CountingFront> {
  let bytes = 0;
  const onAnswered = (more: number) => {
    bytes += more;
  };
  const front = await startFront(target, { onAnswered });
  return {
    url: front.url,
    async measure(work) {
      const before = bytes;
      const startedAt = performance.now();
      await work();
      return { bytes: bytes - before, seconds: (performance.now() - startedAt) / 1000 };
    },
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}
