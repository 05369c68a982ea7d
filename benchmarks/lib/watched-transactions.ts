import type { Store } from "@plimsoll/store";
import type { Transaction } from "kysely";

/** A store, and the duration and processor time of each of its transactions, in milliseconds. */
export interface WatchedStore<DB> {
  readonly store: Store<DB>;
  readonly heldMs: number[];
  readonly cpuMs: number[];
}

/** Wraps a store to record how long its transactions are open. */
export function watchTransactions<DB>(store: Store<DB>): WatchedStore<DB> {
  const heldMs: number[] = [];
  const cpuMs: number[] = [];
  const noted = async <T>(work: () => Promise<T>): Promise<T> => {
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    try {
      return await work();
    } finally {
      const { user, system } = process.cpuUsage(cpu);
      heldMs.push(performance.now() - begun);
      cpuMs.push((user + system) / 1000);
    }
  };
  const relaxed = new Proxy(store.relaxed, {
    get(db, name) {
      const member: unknown = Reflect.get(db, name, db);
      if (name !== "transaction") return typeof member === "function" ? member.bind(db) : member;
      return () => ({
        execute: <T>(work: (transaction: Transaction<DB>) => Promise<T>) =>
          db.transaction().execute((transaction) => noted(() => work(transaction))),
      });
    },
  });
  const watched: Store<DB> = {
    ...store,
    relaxed,
    transaction: (work) => store.transaction((transaction) => noted(() => work(transaction))),
  };
  return { store: watched, heldMs, cpuMs };
}
