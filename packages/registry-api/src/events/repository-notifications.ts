import { randomUUID } from "node:crypto";
import type { Json } from "@plimsoll/core";
import { isWebhookSecret } from "@plimsoll/outbound";
import { enqueueJob, type NewJob } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { OperationContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { lockOwner } from "../limits/queries.ts";
import { type ListPageQuery, readListPage } from "../lists/list-pages.ts";
import { beforeOldest, type CreationKey, creationKey } from "../lists/read-from.ts";
import type { Ports } from "../ports.ts";
import { baseUrl, type RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { deliverNotificationJob } from "./jobs.ts";
import { newWebhookSecret } from "./new-webhook-secret.ts";
import {
  checkEventConfig,
  checkMethodConfig,
  type MethodConfig,
  type NotificationMethod,
} from "./notification-methods.ts";
import {
  clearFailures,
  findRepositoryNotification,
  insertJobs,
  insertRepositoryNotification,
  listReceivers,
  listStoredNotifications,
  type RepositoryEvent,
  type RepositoryNotificationRow,
  removeNotification,
} from "./queries/repository-notifications.ts";
import { sealConfig } from "./stored-config.ts";

/** The request for a new notification. */
export interface NotificationRequest {
  readonly event: RepositoryEvent;
  readonly method: NotificationMethod;
  readonly config: MethodConfig;
  readonly eventConfig: MethodConfig;
  readonly title?: string | null;
}

/** A page of the notifications of a repository, the oldest first. */
export function listNotifications(context: OperationContext, { id: ownerId }: ImageRepository, query: ListPageQuery) {
  const list = { list: "notifications", ownerId, query, first: beforeOldest, keyOf: creationKey } as const;
  return readListPage<RepositoryNotificationRow, CreationKey>(context, list, (page) =>
    listStoredNotifications(context.db, ownerId, page),
  );
}

/** One notification of a repository. @throws RegistryError `not_found` */
export async function getNotification(
  { db }: OperationContext,
  { id }: ImageRepository,
  uuid: string,
): Promise<RepositoryNotificationRow> {
  const row = await findRepositoryNotification(db, id, uuid);
  if (row === undefined)
    throw notFound("The repository has no notification with that uuid: list the notifications to see their uuids");
  return row;
}

/** A new notification, and the secret that signs its deliveries; the secret is shown only this once. */
export interface CreatedNotification {
  readonly row: RepositoryNotificationRow;
  readonly secret: string | undefined;
}

/** Adds a notification. @throws RegistryError `invalid_request` */
export async function createNotification(
  context: OperationContext<"add_repo_notification">,
  repository: ImageRepository,
  request: NotificationRequest,
): Promise<CreatedNotification> {
  const { event, method, eventConfig, title } = request;
  const { secret: given, ...config } = request.config;
  const secret = method === "webhook" ? secretOf(given) : undefined;
  await checkCount(context.db, repository.id);
  checkEventConfig(event, eventConfig);
  await checkMethodConfig(context, repository, { method, config });
  const row: RepositoryNotificationRow = {
    id: randomUUID(),
    repository_id: repository.id,
    title: title || null,
    event,
    method,
    config: sealConfig(context.secrets, config),
    event_config: JSON.stringify(eventConfig),
    failures: 0,
    created_at: context.now,
    secret_sealed: secret === undefined ? null : context.secrets.seal(secret),
  };
  await insertRepositoryNotification(context.db, row);
  await context.log("add_repo_notification", describe(repository, row));
  return { row, secret };
}

/** How many notifications a repository has at most, since each event makes a job for each of them. */
const maxNotifications = 100;

async function checkCount(db: RegistryDb, repositoryId: string): Promise<void> {
  await lockOwner(db, "repository", repositoryId);
  const page = { after: beforeOldest, limit: maxNotifications };
  if ((await listStoredNotifications(db, repositoryId, page)).length < maxNotifications) return;
  throw invalidRequest(`A repository has at most ${maxNotifications} notifications: delete one first`);
}

/** The secret of a request, or a new one. */
function secretOf(given: unknown): string {
  if (given === undefined || given === null || given === "") return newWebhookSecret();
  if (typeof given === "string" && isWebhookSecret(given)) return given;
  throw invalidRequest("config.secret: expected whsec_ and 24 to 64 bytes in base64");
}

/** Removes a notification. @throws RegistryError `invalid_request` when there is none */
export async function deleteNotification(
  context: OperationContext<"delete_repo_notification">,
  repository: ImageRepository,
  uuid: string,
) {
  const row = await getKnownNotification(context, repository, uuid);
  await removeNotification(context.db, row.id);
  await context.log("delete_repo_notification", describe(repository, row));
}

/** Resets the failures of a notification, which enables it again. @throws RegistryError `invalid_request` */
export async function resetFailures(
  context: OperationContext<"reset_repo_notification">,
  repository: ImageRepository,
  uuid: string,
) {
  const row = await getKnownNotification(context, repository, uuid);
  await clearFailures(context.db, row.id);
  await context.log("reset_repo_notification", describe(repository, row));
}

/** Queues the delivery of a test event. @throws RegistryError `invalid_request` */
export async function testNotification(context: OperationContext, repository: ImageRepository, uuid: string) {
  const row = await getKnownNotification(context, repository, uuid);
  const event = { ...eventPayload(context, repository), ...sampleOf(row), test: true };
  const payload = { notificationId: row.id, event, isTest: true };
  await enqueueJob(context.db, deliverNotificationJob.of(payload), context.ports.clock);
  return {};
}

/** The context of emitting events: that of an operation, or of a job that changes repositories. */
export interface EventContext {
  readonly db: RegistryDb;
  readonly settings: Pick<RegistrySettings, "scheme" | "host" | "features">;
  readonly ports: Pick<Ports, "clock">;
}

/** The repository of an event. */
type EventRepository = Pick<ImageRepository, "id" | "namespace" | "name">;

/** Queues a delivery of an event for every matching notification of the repository. */
export async function emitEvent(
  context: EventContext,
  repository: EventRepository,
  { event, members }: { readonly event: RepositoryEvent; readonly members: { readonly [name: string]: Json } },
): Promise<void> {
  if (!context.settings.features.repositoryNotifications) return;
  const receivers = await listReceivers(context.db, repository.id, event);
  await insertJobs(context.db, eventJobs(context, repository, { receivers, members }), context.ports.clock);
}

/** An event, and the ids of the notifications that deliver it. */
export interface EventDelivery {
  readonly receivers: readonly string[];
  readonly members: { readonly [name: string]: Json };
}

/** The jobs that deliver an event. */
export function eventJobs(
  context: Pick<EventContext, "settings">,
  repository: EventRepository,
  { receivers, members }: EventDelivery,
): readonly NewJob[] {
  const event = { ...eventPayload(context, repository), ...members };
  return receivers.map((notificationId) => deliverNotificationJob.of({ notificationId, event }));
}

/** The members that describe the repository in every event. */
function eventPayload({ settings }: Pick<EventContext, "settings">, { namespace, name }: EventRepository) {
  return {
    repository: `${namespace}/${name}`,
    namespace,
    name,
    docker_url: `${settings.host}/${namespace}/${name}`,
    homepage: `${baseUrl(settings)}/repository/${namespace}/${name}`,
  };
}

function sampleOf({ event }: RepositoryNotificationRow) {
  if (event === "repo_push") return { updated_tags: ["latest"] };
  if (event === "vulnerability_found") {
    const vulnerability = { id: "CVE-0000-0000", description: "A test", link: "", priority: "Critical", has_fix: true };
    return { tags: ["latest"], vulnerability };
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

async function getKnownNotification(context: OperationContext, repository: ImageRepository, uuid: string) {
  const row = await findRepositoryNotification(context.db, repository.id, uuid);
  if (row !== undefined) return row;
  throw invalidRequest(`No repository notification found for: ${repository.namespace}, ${repository.name}, ${uuid}`);
}

function describe({ namespace, name }: ImageRepository, { id, event, method }: RepositoryNotificationRow) {
  return { repo: name, namespace, notification_id: id, event, method };
}
