import type { Store } from "@plimsoll/store";
import type { Transaction } from "kysely";

/** How long each transaction of a store held the others, in milliseconds. */
export interface WatchedStore<DB> {
  readonly store: Store<DB>;
  readonly heldMs: number[];
}

/** A store that notes how long its transactions are open. */
export function watchTransactions<DB>(store: Store<DB>): WatchedStore<DB> {
  const heldMs: number[] = [];
  const noted = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      heldMs.push(performance.now() - begun);
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
  return { store: watched, heldMs };
}
