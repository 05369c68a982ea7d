import { type NewJob, newJobs } from "@plimsoll/store";
import type { Expression, Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../lists/read-from.ts";
import type { Clock } from "../../ports.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { EventNotificationTable } from "../../store/tables/repositories.ts";

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

/** The events of namespaces. Repositories can receive them as well. */
export const namespaceEvents = ["quota_warning", "quota_error"] as const satisfies readonly RepositoryEvent[];

/** One of {@link namespaceEvents}. */
export type NamespaceEvent = (typeof namespaceEvents)[number];

/** Whether an organization has a team of that name. */
export async function hasTeam(db: RegistryDb, organizationId: string, name: string): Promise<boolean> {
  const teams = db.selectFrom("team").select("id").where("organization_id", "=", organizationId);
  return (await teams.where("name", "=", name).executeTakeFirst()) !== undefined;
}

/** A notification as it is stored. */
export type NotificationRow = Selectable<EventNotificationTable>;

/** Which notifications: those of a repository, or those of a namespace itself. */
export interface NotificationsOf {
  readonly column: "repository_id" | "namespace_id";
  readonly id: string;
}

/** The ids of a repository's notifications for an event, without those that failures have disabled. */
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
    .selectFrom("event_notification")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("event", "=", event)
    .where("failures", "<", maxFailures);
}

/** A notification, and the repository that it is of; without one, it is of the namespace. */
export interface NamespaceReceiver {
  readonly id: string;
  readonly repository: { readonly id: string; readonly name: string } | undefined;
}

/** As {@link listReceivers} for a namespace and all of its repositories. */
export async function listNamespaceReceivers(
  db: RegistryDb,
  namespaceId: string,
  event: NamespaceEvent,
): Promise<readonly NamespaceReceiver[]> {
  const receivers = db
    .selectFrom("event_notification")
    .select("event_notification.id")
    .where("event_notification.event", "=", event)
    .where("event_notification.failures", "<", maxFailures)
    .orderBy("event_notification.created_at");
  const own = await receivers.where("event_notification.namespace_id", "=", namespaceId).execute();
  const ofRepositories = await receivers
    .innerJoin("image_repository", "image_repository.id", "event_notification.repository_id")
    .select(["image_repository.id as repositoryId", "image_repository.name"])
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_repository.state", "!=", "deleted")
    .execute();
  return [
    ...own.map(({ id }) => ({ id, repository: undefined })),
    ...ofRepositories.map(({ id, repositoryId, name }) => ({ id, repository: { id: repositoryId, name } })),
  ];
}

/** This many failures in a row disable a notification until its count is reset. */
export const maxFailures = 3;

/** A page of the notifications of a repository or a namespace, the oldest first. */
export async function listStoredNotifications(
  db: RegistryDb,
  { column, id }: NotificationsOf,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly NotificationRow[]> {
  return db
    .selectFrom("event_notification")
    .selectAll()
    .where(column, "=", id)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** A notification of a repository or a namespace. */
export async function findStoredNotification(
  db: RegistryDb,
  { column, id }: NotificationsOf,
  uuid: string,
): Promise<NotificationRow | undefined> {
  return db
    .selectFrom("event_notification")
    .selectAll()
    .where(column, "=", id)
    .where("id", "=", uuid)
    .executeTakeFirst();
}

/** Stores a notification. */
export async function insertStoredNotification(
  db: RegistryDb,
  notification: NewRow<"event_notification">,
): Promise<void> {
  await db.insertInto("event_notification").values(notification).execute();
}

/** Deletes a notification. */
export async function removeNotification(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("event_notification").where("id", "=", id).execute();
}

/** Resets the failures of a notification to 0. */
export async function clearFailures(db: RegistryDb, id: string): Promise<void> {
  await db.updateTable("event_notification").set({ failures: 0 }).where("id", "=", id).execute();
}

/** Queues jobs in one statement; does nothing for an empty list. */
export async function insertJobs(db: RegistryDb, jobs: readonly NewJob[], clock: Clock): Promise<void> {
  await newJobs(db, jobs, clock)?.execute();
}
