import { randomUUID } from "node:crypto";
import { enqueueJob } from "@plimsoll/store";
import type { Selectable } from "kysely";
import type { OperationContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { findAccount } from "../store/accounts.ts";
import type { ImageRepository } from "../store/image-repositories.ts";
import type { RepositoryMirrorTable } from "../store/tables/repositories.ts";
import { parseExternalReference } from "./external-reference.ts";

/** A mirror as it is stored. */
export type MirrorRow = Selectable<RepositoryMirrorTable>;

/** How the other registry is reached. */
export interface ExternalRegistryConfig {
  readonly verify_tls?: boolean;
  readonly unsigned_images?: boolean;
  readonly proxy?: { readonly http_proxy?: string; readonly https_proxy?: string; readonly no_proxy?: string };
}

/** What a client says of a mirror. */
export interface MirrorRequest {
  readonly is_enabled?: boolean;
  readonly external_reference?: string;
  readonly external_registry_username?: string | null;
  readonly external_registry_password?: string | null;
  readonly external_registry_config?: ExternalRegistryConfig;
  readonly sync_start_date?: string;
  readonly sync_interval?: number;
  readonly skopeo_timeout_interval?: number;
  readonly robot_username?: string;
  readonly root_rule?: { readonly rule_kind: "tag_glob_csv"; readonly rule_value: readonly string[] };
}

/** The job that looks which mirrors are due. */
export const syncMirrorJob = "registry.sync-mirror";

/** After so many failures in a row a mirror waits for its next turn. */
export const mirrorRetries = 3;

/** The mirror of a repository. @throws RegistryError `not_found` */
export async function getMirror({ db }: OperationContext, { id }: ImageRepository): Promise<MirrorRow> {
  const mirror = await db
    .selectFrom("repository_mirror")
    .selectAll()
    .where("repository_id", "=", id)
    .executeTakeFirst();
  if (mirror === undefined) throw notFound();
  return mirror;
}

/** Checks that the other registry is one that may be asked; its address is looked up. @throws RegistryError `invalid_request` */
export async function checkExternalHost({ ports }: OperationContext, reference: string | undefined): Promise<void> {
  if (reference === undefined) return;
  const { hostname, path } = parseExternalReference("external_reference", reference);
  if (path === "") throw invalidRequest("external_reference: expected host/path, found no path");
  await ports.outgoing.check(hostname);
}

/** Makes a repository a mirror: its state is `MIRROR` from then on. @throws RegistryError `invalid_request` */
export async function createMirror(
  context: OperationContext,
  repository: ImageRepository,
  request: MirrorRequest & Required<Pick<MirrorRequest, "external_reference" | "robot_username" | "root_rule">>,
): Promise<void> {
  const { db } = context;
  checkCredentials(request.external_registry_username, request.external_registry_password);
  const row: MirrorRow = {
    repository_id: repository.id,
    is_enabled: 1,
    external_reference: request.external_reference,
    external_username: null,
    external_password_sealed: null,
    external_config: "{}",
    sync_start_at: null,
    sync_interval_s: 0,
    sync_timeout_s: 300,
    sync_expires_at: null,
    sync_state: "NEVER_RUN",
    sync_retries: mirrorRetries,
    sync_transaction_id: randomUUID(),
    tag_patterns: "[]",
    robot_id: "",
    ...(await changesOf(context, repository, request)),
  };
  const inserted = await db
    .insertInto("repository_mirror")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("repository_id")
    .executeTakeFirst();
  if (inserted === undefined) throw invalidRequest("The repository has a mirror configuration already");
  await db.updateTable("image_repository").set({ state: "MIRROR" }).where("id", "=", repository.id).execute();
  await logChange(context, repository, "external_reference", request.external_reference);
}

/** Changes what the request names. @throws RegistryError `invalid_request`, `not_found` */
export async function changeMirror(
  context: OperationContext,
  repository: ImageRepository,
  request: MirrorRequest,
): Promise<void> {
  const mirror = await getMirror(context, repository);
  const { external_registry_username: username = mirror.external_username } = request;
  checkCredentials(username, request.external_registry_password);
  const changes = await changesOf(context, repository, request);
  await context.db
    .updateTable("repository_mirror")
    .set({ ...changes, sync_transaction_id: randomUUID() })
    .where("repository_id", "=", repository.id)
    .execute();
  for (const [name, value] of loggedChanges(request)) await logChange(context, repository, name, value);
}

function checkCredentials(username: string | null | undefined, password: string | null | undefined): void {
  if (!password || username) return;
  throw invalidRequest("Unable to set a new password without also specifying a username.");
}

async function changesOf(context: OperationContext, repository: ImageRepository, request: MirrorRequest) {
  const { secrets } = context;
  const { external_registry_password: password, external_registry_username: username, root_rule: rule } = request;
  const robot =
    request.robot_username === undefined ? undefined : await adoptRobot(context, repository, request.robot_username);
  return {
    ...(request.is_enabled !== undefined && { is_enabled: request.is_enabled ? (1 as const) : (0 as const) }),
    ...(request.external_reference !== undefined && { external_reference: request.external_reference }),
    ...(username !== undefined && { external_username: username || null }),
    ...(username === null && { external_password_sealed: null }),
    ...(password !== undefined && { external_password_sealed: password ? secrets.seal(password) : null }),
    ...(request.external_registry_config && { external_config: JSON.stringify(request.external_registry_config) }),
    ...(request.sync_start_date !== undefined && { sync_start_at: parseSyncDate(request.sync_start_date) }),
    ...(request.sync_interval !== undefined && { sync_interval_s: request.sync_interval }),
    ...(request.skopeo_timeout_interval !== undefined && { sync_timeout_s: request.skopeo_timeout_interval }),
    ...(rule && { tag_patterns: JSON.stringify(rule.rule_value) }),
    ...(robot !== undefined && { robot_id: robot }),
  };
}

/** An instant written `2026-11-21T12:00:00Z`. @throws RegistryError `invalid_request` */
export function parseSyncDate(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw invalidRequest("Incorrect DateTime format for sync_start_date.");
  return at;
}

/** The robot that pushes: of the repository's own namespace, and with the right to. */
async function adoptRobot({ db }: OperationContext, repository: ImageRepository, username: string): Promise<string> {
  const robot = await findAccount(db, username, "robot");
  if (robot === undefined || !username.startsWith(`${repository.namespace}+`)) throw invalidRequest("Invalid robot");
  await db
    .insertInto("account_permission")
    .values({ repository_id: repository.id, account_id: robot.id, role: "write" })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "account_id"])
        .doUpdateSet({ role: "write" })
        .where("account_permission.role", "=", "read"),
    )
    .execute();
  return robot.id;
}

/** Has the mirror run as soon as possible. @throws RegistryError `not_found` without a mirror, or while it runs */
export async function syncNow(context: OperationContext, repository: ImageRepository): Promise<void> {
  const mirror = await getMirror(context, repository);
  if (mirror.sync_state === "SYNCING") throw notFound("The mirror is being synchronized");
  await setState(context, repository, {
    sync_state: "SYNC_NOW",
    sync_expires_at: null,
    sync_retries: Math.max(1, mirror.sync_retries),
  });
  const uniqueKey = `${syncMirrorJob}:${repository.id}`;
  const payload = { repositoryId: repository.id };
  await enqueueJob(context.db, { kind: syncMirrorJob, uniqueKey, payload }, context.ports.clock);
  await logChange(context, repository, "sync_status", "SYNC_NOW");
}

/** Ends the run that is under way or asked for; later ones come as planned. @throws RegistryError `not_found` */
export async function cancelSync(context: OperationContext, repository: ImageRepository): Promise<void> {
  const mirror = await getMirror(context, repository);
  const { sync_state } = mirror;
  if (sync_state !== "SYNCING" && sync_state !== "SYNC_NOW") throw notFound("Nothing is being synchronized");
  await setState(context, repository, {
    sync_state: "CANCEL",
    sync_expires_at: null,
    sync_retries: mirrorRetries,
    sync_start_at: nextTurn(mirror, context.now),
  });
  await logChange(context, repository, "sync_status", "SYNC_CANCEL");
}

/** When a mirror is due next: as planned, or a whole number of intervals later where that is past. */
export function nextTurn(mirror: Pick<MirrorRow, "sync_start_at" | "sync_interval_s">, now: number): number | null {
  const { sync_start_at: startAt } = mirror;
  if (startAt === null || startAt > now) return startAt;
  const intervalMs = Math.max(1, mirror.sync_interval_s) * 1000;
  return startAt + (Math.floor((now - startAt) / intervalMs) + 1) * intervalMs;
}

async function setState({ db }: OperationContext, { id }: ImageRepository, state: Partial<MirrorRow>): Promise<void> {
  const changed = { ...state, sync_transaction_id: randomUUID() };
  await db.updateTable("repository_mirror").set(changed).where("repository_id", "=", id).execute();
}

function loggedChanges(request: MirrorRequest): readonly (readonly [name: string, value: unknown])[] {
  const { external_registry_config: config = {}, root_rule: rule, ...plain } = request;
  const { proxy = {}, ...flags } = config;
  const all = { ...plain, ...flags, ...proxy, ...(rule && { mirror_rule: rule.rule_value }) };
  return Object.entries(all).map(([name, value]) => [name, name === "external_registry_password" ? "********" : value]);
}

async function logChange({ log }: OperationContext, repository: ImageRepository, changed: string, to: unknown) {
  await log("repo_mirror_config_changed", {
    repo: repository.name,
    namespace: repository.namespace,
    changed,
    to,
  });
}
