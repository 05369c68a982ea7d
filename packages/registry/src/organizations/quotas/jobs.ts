import { type JobAttempt, job } from "@plimsoll/store";
import { Type } from "typebox";
import { findAccountById } from "../../access/queries.ts";
import type { Deps } from "../../deps.ts";
import { type EventDelivery, eventJobs, namespaceEventJobs } from "../../events/emit-event.ts";
import { insertJobs, listNamespaceReceivers, type NamespaceReceiver } from "../../events/queries/notifications.ts";
import type { RegistrySettings } from "../../settings.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import { formatBytes } from "../../values/sizes.ts";
import { findQuota, type QuotaRow } from "./queries/quotas.ts";
import type { UsageLimit } from "./usage-limits.ts";

/** Emits an event for the notifications of a namespace and its repositories when a limit is reached. Events older than a day are dropped. */
export const emitQuotaEventsJob = job({
  kind: "registry.emit-quota-events",
  payload: Type.Object({
    namespaceId: Type.String(),
    type: Type.Enum(["Warning", "Reject"]),
    usedBytes: Type.Integer(),
  }),
  tenant: ({ namespaceId }) => namespaceId,
  staleAfterSeconds: 86_400,
  handle: (attempt, deps: QuotaEventDeps) => emitQuotaEvents(attempt, deps),
});

/** What quota events need. */
interface QuotaEventDeps extends Pick<Deps, "store" | "clock" | "pageAddress"> {
  readonly settings: Pick<RegistrySettings, "host" | "features" | "defaultQuotaBytes">;
}

/** A limit that a namespace has reached. */
interface Crossing {
  readonly namespaceId: string;
  readonly type: UsageLimit["type"];
  readonly usedBytes: number;
}

const events = { Warning: "quota_warning", Reject: "quota_error" } as const;

/** Enqueues the event for each matching notification, exactly once. Enqueues nothing if the quota was deleted in the meantime. */
async function emitQuotaEvents(attempt: JobAttempt<Crossing>, deps: QuotaEventDeps): Promise<void> {
  const { store, clock, settings } = deps;
  const { namespaceId, type, usedBytes } = attempt.payload;
  if (!settings.features.repositoryNotifications || !settings.features.quotas) return;
  await store.transaction(async (db) => {
    const account = await findAccountById(db, namespaceId);
    const quota = await findQuota(db, namespaceId);
    const limitBytes = quota?.limit_bytes ?? settings.defaultQuotaBytes;
    if (account !== undefined && limitBytes !== undefined) {
      const members = {
        threshold_percent: thresholdOf(quota, attempt.payload, limitBytes),
        usage_bytes: usedBytes,
        limit_bytes: limitBytes,
        usage_percent: Math.floor((100 * usedBytes) / limitBytes),
        usage_bytes_formatted: formatBytes(usedBytes),
        limit_bytes_formatted: formatBytes(limitBytes),
      };
      for (const some of inChunks(await listNamespaceReceivers(db, namespaceId, events[type]))) {
        const jobs = some.flatMap((receiver) =>
          jobsFor(receiver, { context: deps, namespace: account.username, members }),
        );
        await insertJobs(db, jobs, clock);
      }
    }
    await attempt.finishIn(db);
  });
}

/** The job that delivers the event to one notification, which describes what the notification is of. */
function jobsFor(
  { id, repository }: NamespaceReceiver,
  { context, namespace, members }: Pick<EventDelivery, "members"> & { context: QuotaEventDeps; namespace: string },
) {
  const delivery = { receivers: [id], members };
  return repository === undefined
    ? namespaceEventJobs(context, namespace, delivery)
    : eventJobs(context, { ...repository, namespace }, delivery);
}

/** The percent of the highest limit that is reached. If none is, because a push was refused, the percent of the lowest limit. */
function thresholdOf(quota: QuotaRow | undefined, { type, usedBytes }: Crossing, limitBytes: number): number {
  const percents = (quota?.limits ?? []).filter((limit) => limit.type === type).map((limit) => limit.limit_percent);
  const reached = percents.filter((percent) => usedBytes >= Math.floor((limitBytes * percent) / 100));
  if (reached.length > 0) return Math.max(...reached);
  return percents.length > 0 ? Math.min(...percents) : 100;
}
