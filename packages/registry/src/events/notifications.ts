import { randomUUID } from "node:crypto";
import { isWebhookSecret } from "@plimsoll/outbound";
import { enqueueJob } from "@plimsoll/store";
import type { CallContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { lockOwner } from "../limits/queries.ts";
import { beforeOldest, type CreationKey, creationKey, type ListPageQuery, readListPage } from "../lists/list-pages.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { deliverNotificationJob } from "./deliver-event.ts";
import { newWebhookSecret, sealConfig } from "./event-config.ts";
import {
  checkEventConfig,
  checkMethodConfig,
  type MethodConfig,
  type NotificationMethod,
} from "./notification-methods.ts";
import { type NotificationOwner, namespaceOf, notificationsOf, ownerMembers } from "./notification-owner.ts";
import {
  clearFailures,
  findStoredNotification,
  insertStoredNotification,
  listStoredNotifications,
  type NotificationRow,
  type RepositoryEvent,
  removeNotification,
} from "./queries/notifications.ts";

/** The request for a new notification. */
export interface NotificationRequest {
  readonly event: RepositoryEvent;
  readonly method: NotificationMethod;
  readonly config: MethodConfig;
  readonly eventConfig: MethodConfig;
  readonly title?: string | undefined;
}

/** A page of the notifications of an owner, the oldest first. */
export function listNotifications(context: CallContext, owner: NotificationOwner, query: ListPageQuery) {
  const of = notificationsOf(owner);
  const list = { list: "notifications", ownerId: of.id, query, first: beforeOldest, keyOf: creationKey } as const;
  return readListPage<NotificationRow, CreationKey>(context, list, (page) =>
    listStoredNotifications(context.db, of, page),
  );
}

/** One notification of an owner. @throws RegistryError `not_found` */
export async function getNotification(
  { db }: Pick<CallContext, "db">,
  owner: NotificationOwner,
  uuid: string,
): Promise<NotificationRow> {
  const row = await findStoredNotification(db, notificationsOf(owner), uuid);
  if (row === undefined)
    throw notFound(`The ${owner.kind} has no notification with that uuid: list the notifications to see their uuids`);
  return row;
}

/** A new notification, and the secret that signs its deliveries; the secret is shown only this once. */
export interface CreatedNotification {
  readonly row: NotificationRow;
  readonly secret: string | undefined;
}

/** Adds a notification. @throws RegistryError `invalid_request` */
export async function createNotification(
  context: CallContext,
  owner: NotificationOwner,
  request: NotificationRequest,
): Promise<CreatedNotification> {
  const { event, method, eventConfig, title } = request;
  const { secret: given, ...config } = request.config;
  const secret = method === "webhook" ? secretOf(given) : undefined;
  await checkCount(context.db, owner);
  checkEventConfig(event, eventConfig);
  await checkMethodConfig(context, owner, { method, config });
  const { column, id: ownerId } = notificationsOf(owner);
  const row: NotificationRow = {
    id: randomUUID(),
    repository_id: null,
    namespace_id: null,
    [column]: ownerId,
    title: title || null,
    event,
    method,
    config: sealConfig(context.secrets, config),
    event_config: JSON.stringify(eventConfig),
    failures: 0,
    created_at: context.now,
    secret_sealed: secret === undefined ? null : context.secrets.seal(secret),
  };
  await insertStoredNotification(context.db, row);
  return { row, secret };
}

/** How many notifications an owner has at most, since each event makes a job for each of them. */
const maxNotifications = 100;

async function checkCount(db: RegistryDb, owner: NotificationOwner): Promise<void> {
  const of = notificationsOf(owner);
  await lockOwner(db, owner.kind, of.id);
  const page = { after: beforeOldest, limit: maxNotifications };
  if ((await listStoredNotifications(db, of, page)).length < maxNotifications) return;
  throw invalidRequest(`A ${owner.kind} has at most ${maxNotifications} notifications: delete one first`);
}

/** The secret of a request, or a new one. */
function secretOf(given: unknown): string {
  if (given === undefined || given === null || given === "") return newWebhookSecret();
  if (typeof given === "string" && isWebhookSecret(given)) return given;
  throw invalidRequest("config.secret: expected whsec_ and 24 to 64 bytes in base64");
}

/** Queues the delivery of a test event. */
export async function testNotification(context: CallContext, owner: NotificationOwner, row: NotificationRow) {
  const event = { ...ownerMembers(context, owner), ...sampleOf(row, owner), test: true };
  const payload = { notificationId: row.id, event, isTest: true };
  await enqueueJob(context.db, deliverNotificationJob.of(payload), context.clock);
  return {};
}

/** A notification and its owner. */
export interface OwnedNotification {
  readonly owner: NotificationOwner;
  readonly row: NotificationRow;
}

/** Deletes a notification. */
export async function deleteNotification<Kind extends "delete_repo_notification" | "delete_namespace_notification">(
  { db, log }: Pick<CallContext<Kind>, "db" | "log">,
  kind: Kind,
  { owner, row }: OwnedNotification,
): Promise<void> {
  await removeNotification(db, row.id);
  await log(kind, notificationEntry(owner, row));
}

/** Resets the failures of a notification, so that it is delivered again. */
export async function resetNotification<Kind extends "reset_repo_notification" | "reset_namespace_notification">(
  { db, log }: Pick<CallContext<Kind>, "db" | "log">,
  kind: Kind,
  { owner, row }: OwnedNotification,
): Promise<void> {
  await clearFailures(db, row.id);
  await log(kind, notificationEntry(owner, row));
}

/** What entries of the usage log have about a notification. */
export function notificationEntry(owner: NotificationOwner, { id, event, method }: NotificationRow) {
  const repo = owner.kind === "repository" ? { repo: owner.repository.name } : {};
  return { ...repo, namespace: namespaceOf(owner).username, notification_id: id, event, method };
}

function sampleOf({ event }: NotificationRow, owner: NotificationOwner) {
  if (event === "repo_push") return { updated_tags: ["latest"] };
  if (event === "vulnerability_found") {
    const vulnerability = { id: "CVE-0000-0000", description: "A test", link: "", priority: "Critical", has_fix: true };
    if (owner.kind === "repository") return { tags: ["latest"], vulnerability };
    const name = "app";
    return { repository: `${owner.namespace.username}/${name}`, name, tags: ["latest"], vulnerability };
  }
  if (event === "repo_image_expiry") return { tags: ["latest"], expiring_in: "7 days" };
  if (event === "repo_pull_refused") {
    const image = { updated_tags: ["latest"], manifest_digest: `sha256:${"0".repeat(64)}` };
    return { message: "A test", ...image, verdict: "deny", findings: 1, worst: "Critical", vulnerabilities: [] };
  }
  if (event.startsWith("repo_mirror")) return { message: "A test" };
  if (event.startsWith("quota_")) return quotaSample;
  const build = { build_id: "00000000-0000-0000-0000-000000000000", build_name: "0000000", docker_tags: ["latest"] };
  return { ...build, trigger_id: null, trigger_kind: null, trigger_metadata: {} };
}

const quotaSample = {
  threshold_percent: 80,
  usage_bytes: 800,
  limit_bytes: 1000,
  usage_percent: 80,
  usage_bytes_formatted: "800 B",
  limit_bytes_formatted: "1000 B",
};
