import { holdLock } from "@plimsoll/store";
import type { ProxyContext } from "./proxy-context.ts";

const leaseSeconds = 30;
const lookMs = 250;

/** Work that is done once for all who ask for it at the same time. */
export interface SharedWork<Result> {
  readonly name: string;
  /** What another has done meanwhile; undefined where it is still to be done. */
  find(): Promise<Result | undefined>;
  do(signal: AbortSignal): Promise<Result>;
  readonly signal: AbortSignal;
}

/**
 * Does work on one node at a time; the others wait and use what it has found.
 * @throws the reason of the signal, when that is aborted while another node works
 */
export async function onceInCluster<Result>(
  { store, clock, sleep }: Pick<ProxyContext, "store" | "clock" | "sleep">,
  { name, find, do: work, signal }: SharedWork<Result>,
): Promise<Result> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    const lock = await store.tryLock(name, { clock, leaseSeconds });
    if (lock === undefined) {
      await sleep(lookMs, signal);
      signal.throwIfAborted();
      continue;
    }
    const holding = { leaseSeconds, sleep: (delayMs: number, ended = signal) => sleep(delayMs, ended), signal };
    return holdLock(lock, holding, async (held) => (await find()) ?? (await work(held)));
  }
}

/** Runs work of one name at a time in this process: who comes meanwhile gets its result. */
export class Coalesced<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  run(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
