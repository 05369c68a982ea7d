import { randomUUID } from "node:crypto";
import { enqueueJob } from "@plimsoll/store";
import { findAccountById, lockNamespace } from "../../access/queries.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { listAdminMemberships } from "../teams/queries/organization-members.ts";
import { emitQuotaEventsJob } from "./jobs.ts";
import { deleteNotices, hasNotices, insertNotices, withdrawQuotaNotices } from "./queries/quotas.ts";
import { type CountedRepository, namespaceUsage, resizeMetadata, subtractUsage } from "./queries/usage.ts";
import { findUsageLimits, type QuotaSettings, severityOf, type UsageLimit } from "./usage-limits.ts";

/** The kinds of notification about quotas. */
const kinds = { Warning: "quota_warning", Reject: "quota_error" } as const satisfies Record<UsageLimit["type"], string>;

/** A notice about the quota of a namespace. */
export interface QuotaNotice {
  readonly namespaceId: string;
  readonly type: UsageLimit["type"];
  /** The notice is withdrawn when fewer bytes than these are used. */
  readonly fromBytes: number;
  /** The bytes that are used now. */
  readonly usedBytes: number;
  readonly now: number;
}

/**
 * Notifies the user who owns the namespace, or every admin of the organization, that a limit is reached. A user gets the notice once
 * until it is withdrawn, even if they have dismissed it. The first notice also queues the events for notifications of the namespace and its repositories.
 * Must run in a transaction.
 */
export async function warnOfQuota(db: RegistryDb, notice: QuotaNotice): Promise<void> {
  const { namespaceId, type, fromBytes, usedBytes, now } = notice;
  const namespace = await findAccountById(db, namespaceId);
  if (namespace === undefined) return;
  const admins = namespace.kind === "user" ? [] : await listAdminMemberships(db, namespaceId);
  const receivers = new Set(namespace.kind === "user" ? [namespaceId] : admins.map(({ accountId }) => accountId));
  if (receivers.size === 0) return;
  const metadata = JSON.stringify({ namespace: namespace.username, severity: type });
  const shared = { kind: kinds[type], metadata, about_id: namespaceId, from_bytes: fromBytes, created_at: now };
  const rows = [...receivers].map((account_id) => ({ id: randomUUID(), account_id, dismissed: 0 as const, ...shared }));
  const isKnown = await hasNotices(db, namespaceId, kinds[type]);
  const isNew = await insertNotices(db, rows);
  if (isNew && !isKnown)
    await enqueueJob(db, emitQuotaEventsJob.of({ namespaceId, type, usedBytes }), { now: () => now });
}

/** Sends the notice of the limit that a number of bytes has reached, if it has reached one. */
export async function warnOfUsage(
  db: RegistryDb,
  limits: readonly UsageLimit[],
  { namespaceId, sizeBytes, now }: { readonly namespaceId: string; readonly sizeBytes: number; readonly now: number },
): Promise<void> {
  const type = severityOf(limits, sizeBytes);
  if (type === undefined) return;
  const reached = limits.filter((limit) => limit.type === type && sizeBytes >= limit.fromBytes);
  const fromBytes = Math.min(...reached.map((limit) => limit.fromBytes));
  await warnOfQuota(db, { namespaceId, type, fromBytes, usedBytes: sizeBytes, now });
}

/** Subtracts unlinked blobs from the usage, and withdraws the notices of limits that are no longer reached. See {@link subtractUsage}. */
export async function releaseUsage(
  db: RegistryDb,
  repository: CountedRepository,
  digests: readonly string[],
): Promise<void> {
  const shrunkTo = await subtractUsage(db, repository, digests);
  if (shrunkTo !== undefined) await withdrawQuotaNotices(db, repository.namespaceId, shrunkTo);
}

/** Subtracts bytes of manifests from the usage, and withdraws the notices of limits that are no longer reached. */
export async function releaseMetadata(
  db: RegistryDb,
  { namespaceId }: Pick<CountedRepository, "namespaceId">,
  bytes: number,
): Promise<void> {
  if (bytes === 0) return;
  await lockNamespace(db, namespaceId); // as for blobs, so that two such transactions cannot deadlock
  await withdrawQuotaNotices(db, namespaceId, await resizeMetadata(db, { namespaceId, byBytes: -bytes }));
}

/** Withdraws the notices of a namespace's former limits, and sends those of its current limits. */
export async function renewQuotaNotices(
  { db, settings, now }: { readonly db: RegistryDb; readonly settings: QuotaSettings; readonly now: number },
  namespaceId: string,
): Promise<void> {
  const limits = await findUsageLimits(db, settings, namespaceId);
  const sizeBytes = await namespaceUsage(db, namespaceId);
  const type = severityOf(limits, sizeBytes);
  const others = Object.values(kinds).filter((kind) => type === undefined || kind !== kinds[type]);
  await deleteNotices(db, namespaceId, others);
  await warnOfUsage(db, limits, { namespaceId, sizeBytes, now });
}
