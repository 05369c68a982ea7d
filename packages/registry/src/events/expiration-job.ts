import { type JobAttempt, job } from "@plimsoll/store";
import type { Deps } from "../deps.ts";
import type { RegistrySettings } from "../settings.ts";
import { eventJobs } from "./emit-event.ts";
import {
  type ExpirationReceiver,
  type ExpiringTag,
  listExpirationReceivers,
  listUnnotifiedTags,
  putNotified,
} from "./queries/deliveries.ts";
import { insertJobs } from "./queries/notifications.ts";

/** Emits events about tags that expire soon. Recurs. */
export const emitExpirationsJob = job({
  kind: "registry.emit-expirations",
  key: () => "",
  priority: "bulk",
  timeoutSeconds: 3600,
  handle: (attempt, deps: ExpirationDeps) => emitExpirations(attempt, deps),
});

/** What expiration events need. */
interface ExpirationDeps extends Pick<Deps, "store" | "clock" | "pageAddress"> {
  readonly settings: Pick<RegistrySettings, "host" | "features">;
}

const dayMs = 86_400_000;

/** The most notifications that are read at once, and the most tags of one transaction. */
const [receiversAtOnce, tagsAtOnce] = [100, 200];

/**
 * Emits an event to each notification whose repository has tags that expire within its number of days. Each tag is notified once, and
 * again if its expiration was changed. Tags that expire on the same day are one event.
 */
async function emitExpirations({ signal }: JobAttempt<unknown>, deps: ExpirationDeps): Promise<void> {
  for (let after = ""; ; ) {
    const receivers = await listExpirationReceivers(deps.store.db, after, receiversAtOnce);
    for (const receiver of receivers) {
      signal.throwIfAborted();
      while (await emitSome(receiver, deps)) signal.throwIfAborted();
    }
    const last = receivers.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** The event and the record that it was sent are stored in one transaction. @returns whether there may be more */
async function emitSome(receiver: ExpirationReceiver, deps: ExpirationDeps): Promise<boolean> {
  const { store, clock } = deps;
  const { days } = JSON.parse(receiver.event_config) as { readonly days: number };
  const from = clock.now();
  return store.transaction(async (db) => {
    const tags = await listUnnotifiedTags(db, receiver, { from, until: from + days * dayMs, limit: tagsAtOnce });
    if (tags.length === 0) return false;
    await putNotified(db, receiver.id, tags);
    const repository = { id: receiver.repository_id, namespace: receiver.namespace, name: receiver.name };
    const jobs = [...byDaysLeft(tags, from)].flatMap(([left, names]) =>
      eventJobs(deps, repository, {
        receivers: [receiver.id],
        members: { tags: names, expiring_in: left === 1 ? "1 day" : `${left} days` },
      }),
    );
    await insertJobs(db, jobs, clock);
    return tags.length === tagsAtOnce;
  });
}

function byDaysLeft(tags: readonly ExpiringTag[], now: number): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { name, end_at } of tags) {
    const left = Math.ceil((end_at - now) / dayMs);
    found.set(left, [...(found.get(left) ?? []), name]);
  }
  return found;
}
