import { RegistryError } from "../errors.ts";
import { networkOf } from "./network-of.ts";

/** The client for whom work is done. Networks take turns, and within each network its accounts take turns. */
export interface Claimant {
  /** The IP address of the client. */
  readonly address: string;
  /** The account that the client names; empty where it names none. */
  readonly account: string;
}

/**
 * Runs work when it is the client's turn, and passes it whether the client had to wait.
 * @throws RegistryError `too_many_requests`; what the work throws
 */
export type TakeFairTurn = <T>(
  claimant: Claimant,
  work: (turn: { readonly hasWaited: boolean }) => Promise<T>,
) => Promise<T>;

interface Waiter {
  start(): void;
  refuse(error: RegistryError): void;
}

/** Waiting clients by network and account. The keys of both maps are in the order of their next turns. */
type Waiting = Map<string, Map<string, Waiter[]>>;

/**
 * Creates a semaphore for `atOnce` pieces of work that is fair to networks: a network with many requests delays each other
 * network by one piece of work only. When `waiting` clients wait already, the newest one of the network with the most waiting
 * clients is refused.
 */
export function createFairTurns(limits: { readonly atOnce: number; readonly waiting: number }): TakeFairTurn {
  const queue: Waiting = new Map();
  let running = 0;
  let waiting = 0;

  function wait({ address, account }: Claimant): Promise<void> {
    const network = networkOf(address);
    if (waiting >= limits.waiting && !makeRoom(queue, network)) return Promise.reject(tooMany());
    waiting = Math.min(waiting + 1, limits.waiting);
    return new Promise((start, refuse) => add(queue, [network, account], { start, refuse }));
  }

  function startNext(): void {
    const next = takeNext(queue);
    if (next === undefined) running -= 1;
    else {
      waiting -= 1;
      next.start();
    }
  }

  return async (claimant, work) => {
    const hasWaited = running >= limits.atOnce;
    if (hasWaited) await wait(claimant);
    else running += 1;
    try {
      return await work({ hasWaited });
    } finally {
      startNext();
    }
  };
}

function add(queue: Waiting, [network, account]: readonly [string, string], waiter: Waiter): void {
  const accounts = queue.get(network) ?? new Map<string, Waiter[]>();
  queue.set(network, accounts);
  const waiters = accounts.get(account);
  if (waiters === undefined) accounts.set(account, [waiter]);
  else waiters.push(waiter);
}

/** Removes the next waiter from the queue. Its account and its network move to the end. */
function takeNext(queue: Waiting): Waiter | undefined {
  const [network, accounts] = queue.entries().next().value ?? [];
  const [account, waiters] = accounts?.entries().next().value ?? [];
  if (network === undefined || accounts === undefined || account === undefined) return undefined;
  const next = waiters?.shift();
  moveToEnd(accounts, account, waiters?.length ?? 0);
  moveToEnd(queue, network, accounts.size);
  return next;
}

function moveToEnd<V>(map: Map<string, V>, key: string, left: number): void {
  const value = map.get(key);
  map.delete(key);
  if (value !== undefined && left > 0) map.set(key, value);
}

/** Refuses the newest waiter of the largest network. @returns false if the requesting network is itself the largest */
function makeRoom(queue: Waiting, requester: string): boolean {
  const [largest] = [...queue].sort(([, a], [, b]) => count(b) - count(a));
  if (largest === undefined || count(largest[1]) <= count(queue.get(requester)) + 1) return false;
  const [network, accounts] = largest;
  const [longest] = [...accounts].sort(([, a], [, b]) => b.length - a.length);
  if (longest === undefined) return false;
  const [account, waiters] = longest;
  waiters.pop()?.refuse(tooMany());
  if (waiters.length === 0) accounts.delete(account);
  if (accounts.size === 0) queue.delete(network);
  return true;
}

function count(accounts: ReadonlyMap<string, readonly Waiter[]> | undefined): number {
  return accounts === undefined ? 0 : accounts.values().reduce((sum, waiters) => sum + waiters.length, 0);
}

function tooMany(): RegistryError {
  return new RegistryError("too_many_requests", "Too many requests at once: try again", { retryAfterSeconds: 1 });
}
