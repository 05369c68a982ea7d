import { type NewJob, newJobs } from "@plimsoll/store";
import type { Expression, Selectable } from "kysely";
import type { ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { hashSecret } from "../../crypto/secrets.ts";
import type { CreationKey, ReadFrom } from "../../lists/list-pages.ts";
import type { Clock } from "../../ports.ts";
import { inChunks } from "../../store/bounded-reads.ts";
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

/** The events of the quota of a namespace. Repositories can receive them as well. */
const quotaEvents = ["quota_warning", "quota_error"] as const satisfies readonly RepositoryEvent[];

/** The events that a namespace can receive: of its quota, and vulnerabilities in all of its repositories. */
export const namespaceEvents = ["vulnerability_found", ...quotaEvents] as const satisfies readonly RepositoryEvent[];

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

/**
 * The ids of a repository's notifications for an event, without those that failures have disabled; for new vulnerabilities, also those of its
 * namespace.
 */
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
    .where(({ eb, or, selectFrom }) => {
      const own = eb("repository_id", "=", repositoryId);
      if (event !== "vulnerability_found") return own;
      const repository = selectFrom("image_repository as owned").select("owned.namespace_id");
      return or([own, eb("event_notification.namespace_id", "=", repository.where("owned.id", "=", repositoryId))]);
    })
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
  event: (typeof quotaEvents)[number],
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

/** Removes the notifications of requested authorizations for an application, or for all applications of an organization. */
export async function deleteAssignmentNotifications(
  db: RegistryDb,
  of: { readonly clientId: string } | { readonly organizationId: string },
): Promise<void> {
  const applications = db.selectFrom("oauth_application").select("client_id");
  const clientIds =
    "clientId" in of
      ? applications.where("client_id", "=", of.clientId)
      : applications.where("organization_id", "=", of.organizationId);
  const ids = db.selectFrom("oauth_assignment").select("id").where("client_id", "in", clientIds);
  await db.deleteFrom("user_notification").where("id", "in", ids).execute();
}

/** Removes the notifications of invitations into teams. */
export async function deleteInviteNotifications(db: RegistryDb, teamIds: readonly string[]): Promise<void> {
  for (const ids of inChunks(teamIds)) {
    const invites = db.selectFrom("team_invite").select("id").where("team_id", "in", ids);
    await db.deleteFrom("user_notification").where("id", "in", invites).execute();
  }
}

/** Stores notifications of users. */
export async function insertNotifications(
  db: RegistryDb,
  added: readonly NewRow<"user_notification">[],
): Promise<void> {
  await db.insertInto("user_notification").values(added).execute();
}

/** A page of the notifications of a user that are not dismissed, the newest first. */
export function listNotificationsOf(
  db: RegistryDb,
  accountId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  return db
    .selectFrom("user_notification")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("dismissed", "=", 0)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** Dismisses a notification, or shows it again. */
export async function dismissNotification(db: RegistryDb, id: string, dismissed: 0 | 1): Promise<void> {
  await db.updateTable("user_notification").set({ dismissed }).where("id", "=", id).execute();
}

/** A notification of a user. */
export function findNotification(db: RegistryDb, accountId: string, id: string) {
  return db
    .selectFrom("user_notification")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/** An e-mail address that a repository's notifications may go to once its owner has confirmed it. */
export interface RepositoryEmail {
  readonly email: string;
  readonly confirmed: boolean;
}

/** The state of an address in a repository; undefined if its consent was not requested, or the request has expired. */
export async function findRepositoryEmail(
  { db, now }: Pick<CallContext, "db" | "now">,
  { id }: ImageRepository,
  email: string,
): Promise<RepositoryEmail | undefined> {
  const { codes, confirmedAt } = await db
    .selectFrom("email_code")
    .select(({ fn }) => [fn.countAll<number>().as("codes"), fn.max("confirmed_at").as("confirmedAt")])
    .where("repository_id", "=", id)
    .where("email", "=", email)
    .where(({ or, eb }) => or([eb("confirmed_at", "is not", null), eb("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(codes) === 0 ? undefined : { email, confirmed: confirmedAt !== null };
}

/** Confirms the address that a repository's code was sent to. @returns undefined for a code that is unknown, used, expired or for another purpose */
export async function confirmRepositoryEmail(
  db: RegistryDb,
  code: string,
  { now }: { readonly now: number },
): Promise<{ readonly email: string } | undefined> {
  return db
    .updateTable("email_code")
    .set({ confirmed_at: now })
    .where("code_hash", "=", hashSecret(code))
    .where("purpose", "=", "authorize_repository")
    .where("expires_at", ">", now)
    .where("confirmed_at", "is", null)
    .returning("email")
    .executeTakeFirst();
}
