import { type NewJob, newJobs } from "@plimsoll/store";
import type { Expression, Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../lists/read-from.ts";
import type { Clock } from "../../ports.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { RepositoryNotificationTable } from "../../store/tables/repositories.ts";

/** The events of repositories. */
export const repositoryEvents = [
  "repo_push",
  "build_queued",
  "build_start",
  "build_success",
  "build_failure",
  "build_cancelled",
  "vulnerability_found",
  "repo_mirror_sync_started",
  "repo_mirror_sync_success",
  "repo_mirror_sync_failed",
  "repo_image_expiry",
  "repo_pull_refused",
  "quota_warning",
  "quota_error",
] as const;

/** One of {@link repositoryEvents}. */
export type RepositoryEvent = (typeof repositoryEvents)[number];

/** Whether an organization has a team of that name. */
export async function hasTeam(db: RegistryDb, organizationId: string, name: string): Promise<boolean> {
  const teams = db.selectFrom("team").select("id").where("organization_id", "=", organizationId);
  return (await teams.where("name", "=", name).executeTakeFirst()) !== undefined;
}

/** A notification as it is stored. */
export type RepositoryNotificationRow = Selectable<RepositoryNotificationTable>;

/** The ids of the notifications for an event, without those that failures have disabled. */
export async function listReceivers(
  db: RegistryDb,
  repositoryId: string,
  event: RepositoryEvent,
): Promise<readonly string[]> {
  const rows = await receiversOf(db, repositoryId, event).execute();
  return rows.map(({ id }) => id);
}

/** {@link listReceivers} as a statement to run together with others. */
export function receiversOf(db: RegistryDb, repositoryId: string | Expression<string>, event: RepositoryEvent) {
  return db
    .selectFrom("repository_notification")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("event", "=", event)
    .where("failures", "<", maxFailures);
}

/** A notification, and its repository. */
export interface NamespaceReceiver {
  readonly id: string;
  readonly repository_id: string;
  readonly name: string;
}

/** As {@link listReceivers} for all repositories of a namespace. */
export async function listNamespaceReceivers(
  db: RegistryDb,
  namespaceId: string,
  event: RepositoryEvent,
): Promise<readonly NamespaceReceiver[]> {
  return db
    .selectFrom("image_repository")
    .innerJoin("repository_notification", "repository_notification.repository_id", "image_repository.id")
    .select(["repository_notification.id", "image_repository.id as repository_id", "image_repository.name"])
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_repository.state", "!=", "deleted")
    .where("repository_notification.event", "=", event)
    .where("repository_notification.failures", "<", maxFailures)
    .orderBy("repository_notification.created_at")
    .execute();
}

/** This many failures in a row disable a notification until its count is reset. */
export const maxFailures = 3;

/** A page of the notifications of a repository, the oldest first. */
export async function listStoredNotifications(
  db: RegistryDb,
  repositoryId: string,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly RepositoryNotificationRow[]> {
  return db
    .selectFrom("repository_notification")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** A notification of a repository. */
export async function findRepositoryNotification(
  db: RegistryDb,
  repositoryId: string,
  id: string,
): Promise<RepositoryNotificationRow | undefined> {
  return db
    .selectFrom("repository_notification")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Stores a notification. */
export async function insertRepositoryNotification(
  db: RegistryDb,
  notification: NewRow<"repository_notification">,
): Promise<void> {
  await db.insertInto("repository_notification").values(notification).execute();
}

/** Deletes a notification. */
export async function removeNotification(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("repository_notification").where("id", "=", id).execute();
}

/** Resets the failures of a notification to 0. */
export async function clearFailures(db: RegistryDb, id: string): Promise<void> {
  await db.updateTable("repository_notification").set({ failures: 0 }).where("id", "=", id).execute();
}

/** Queues jobs in one statement; does nothing for an empty list. */
export async function insertJobs(db: RegistryDb, jobs: readonly NewJob[], clock: Clock): Promise<void> {
  await newJobs(db, jobs, clock)?.execute();
}
