import { startFront } from "../../tests/support/http-front.ts";

/** The transfer through a {@link CountingFront} during some work. */
export interface Moved {
  /** Bytes of the bodies of responses. */
  readonly bytes: number;
  readonly seconds: number;
}

/** A proxy that counts the bytes of responses. */
export interface CountingFront extends AsyncDisposable {
  readonly url: string;
  measure(work: () => Promise<void>): Promise<Moved>;
}

/** Starts a counting proxy of a server, on the loopback interface. */
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
