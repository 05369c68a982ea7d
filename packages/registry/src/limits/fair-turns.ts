import { RegistryError } from "../errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { nestedNetworks } from "./nested-networks.ts";

/** The client for whom work is done. Networks take turns, and within each network its accounts take turns. */
export interface Claimant {
  /** The IP address of the client. */
  readonly address: string;
  /** The account that the client names; empty where it names none. */
  readonly account: string;
  /** Whether the client is one that a reserved share of the turns is for; by default it is not. */
  readonly isKnown?: boolean;
}

/**
 * Runs work when it is the client's turn, and passes it whether the client had to wait.
 * @throws RegistryError `too_many_requests`; what the work throws
 */
export type TakeFairTurn = <T>(
  claimant: Claimant,
  work: (turn: { readonly hasWaited: boolean }) => Promise<T>,
) => Promise<T>;

/** Options of {@link createFairTurns}. */
export interface FairTurnsOptions {
  /** How many pieces of work run at once. */
  readonly atOnce: number;
  /** How many clients may wait, of those that are known and of the others. */
  readonly waiting: number;
  /** A new signal that is aborted when a client has waited too long. */
  readonly deadline: () => AbortSignal;
}

interface Waiter {
  start(): void;
  refuse(): void;
}

/**
 * Creates a semaphore that is fair to networks at each level ({@link nestedNetworks}): one with many requests delays each other network
 * of its level by one piece of work only. Clients that are known have every second turn, however many others wait. When too many clients
 * wait, the newest one of the most crowded network is refused; a client that has waited too long is refused as well.
 */
export function createFairTurns({ atOnce, waiting, deadline }: FairTurnsOptions): TakeFairTurn {
  const queues = { known: new FairQueue<Waiter>(), others: new FairQueue<Waiter>() };
  let running = 0;
  let isTurnOfKnown = true;

  function wait({ address, account, isKnown = false }: Claimant): Promise<void> {
    const queue = isKnown ? queues.known : queues.others;
    const path = [...nestedNetworks(address), account];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { start: resolve, refuse: () => reject(tooMany()) };
    queue.add(path, waiter);
    if (queue.size > waiting) queue.removeMostCrowded(path)?.refuse();
    const late = deadline();
    const giveUp = () => {
      if (queue.remove(path, waiter)) waiter.refuse();
    };
    late.addEventListener("abort", giveUp, { once: true });
    return promise.finally(() => late.removeEventListener("abort", giveUp));
  }

  function startNext(): void {
    const { known, others } = queues;
    const next = isTurnOfKnown ? (known.take() ?? others.take()) : (others.take() ?? known.take());
    isTurnOfKnown = !isTurnOfKnown;
    if (next === undefined) running -= 1;
    else next.start();
  }

  return async (claimant, work) => {
    const hasWaited = running >= atOnce;
    if (hasWaited) await wait(claimant);
    else running += 1;
    try {
      return await work({ hasWaited });
    } finally {
      startNext();
    }
  };
}

function tooMany(): RegistryError {
  return new RegistryError("too_many_requests", "Too many requests at once: try again", { retryAfterSeconds: 1 });
}
