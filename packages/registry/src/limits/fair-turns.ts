import { RegistryError } from "../errors.ts";
import { nestedNetworks } from "./address-limit.ts";

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
type TakeFairTurn = <T>(claimant: Claimant, work: (turn: { readonly hasWaited: boolean }) => Promise<T>) => Promise<T>;

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

/** A group of the queue: the groups within it, or the items of an innermost group, both in the order of their next turns. */
interface Group<Item> {
  size: number;
  readonly groups: Map<string, Group<Item>>;
  readonly items: Set<Item>;
}

/**
 * A queue of items in nested groups, such as networks in wider networks. At each level the groups take turns, so that a group with many
 * items delays each other group of its level by one item only.
 */
export class FairQueue<Item> {
  readonly #root: Group<Item> = newGroup();

  get size(): number {
    return this.#root.size;
  }

  /** @param path the names of the groups that the item is in, the widest first; all paths have the same depth below one name */
  add(path: readonly string[], item: Item): void {
    let group = this.#root;
    group.size += 1;
    for (const name of path) {
      const inner = group.groups.get(name) ?? newGroup<Item>();
      group.groups.set(name, inner);
      group = inner;
      group.size += 1;
    }
    group.items.add(item);
  }

  /** Removes the item whose turn it is. Each of its groups moves to the end of its level. */
  take(): Item | undefined {
    return this.size === 0 ? undefined : takeFrom(this.#root);
  }

  /** Removes an item. @returns whether it was in the queue */
  remove(path: readonly string[], item: Item): boolean {
    const groups = [this.#root];
    for (const name of path) {
      const inner = groups.at(-1)?.groups.get(name);
      if (inner === undefined) return false;
      groups.push(inner);
    }
    if (!groups.at(-1)?.items.delete(item)) return false;
    for (const group of groups) group.size -= 1;
    path.forEach((name, at) => {
      if (groups[at + 1]?.size === 0) groups[at]?.groups.delete(name);
    });
    return true;
  }

  /**
   * Removes the newest item of the most crowded innermost group: the one that is found by following the largest group of each level.
   * @param preferred a path that is followed where groups are equally large
   */
  removeMostCrowded(preferred: readonly string[]): Item | undefined {
    const path: string[] = [];
    let group = this.#root;
    while (group.groups.size > 0) {
      const isPreferred = path.every((name, at) => name === preferred[at]);
      const [name, inner] = largest(group, isPreferred ? preferred[path.length] : undefined);
      path.push(name);
      group = inner;
    }
    const newest = [...group.items].at(-1);
    if (newest !== undefined) this.remove(path, newest);
    return newest;
  }
}

function newGroup<Item>(): Group<Item> {
  return { size: 0, groups: new Map(), items: new Set() };
}

function takeFrom<Item>(group: Group<Item>): Item | undefined {
  group.size -= 1;
  for (const [name, inner] of group.groups) {
    const item = takeFrom(inner);
    group.groups.delete(name);
    if (inner.size > 0) group.groups.set(name, inner);
    return item;
  }
  const [first] = group.items;
  if (first !== undefined) group.items.delete(first);
  return first;
}

function largest<Item>({ groups }: Group<Item>, preferred: string | undefined): readonly [string, Group<Item>] {
  const size = Math.max(...groups.values().map((inner) => inner.size));
  const all = [...groups].filter(([, inner]) => inner.size === size);
  const found = all.find(([name]) => name === preferred) ?? all.at(-1);
  if (found === undefined) throw new Error("expected a group that has groups");
  return found;
}
