import { createIndexService, nodeReaders } from "@plimsoll/indexer";
import { createMatchService } from "@plimsoll/matcher";
import { type NotificationMode, type PollResult, pollUpdates } from "@plimsoll/notifier";
import type { Store } from "@plimsoll/store";
import { engine, type RematchTables } from "./rematch.ts";

/** Polls once, as a service with indexer, matcher and notifier on one database does. */
export async function pollOnce(store: Store<RematchTables>, mode: NotificationMode): Promise<readonly PollResult[]> {
  const all = store as never; // it has more tables than each of them needs
  await using indexer = createIndexService({
    engine,
    store: all,
    fetchLayer: () => {
      throw new Error("no layers here");
    },
    readers: nodeReaders(engine),
    layersAtOnce: 1,
    clock,
    random: () => 0,
    sleep: async () => {},
  });
  const reports = {
    find: () => Promise.reject(new Error("no reports here")),
    relatedKeys: indexer.relatedKeys,
  };
  const updates = createMatchService({ store: all, engine, reports });
  return pollUpdates({ store: all, updates, affected: indexer, clock, mode });
}

const clock = { now: () => Date.now() };
