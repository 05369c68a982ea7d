import { randomUUID } from "node:crypto";
import { withoutUndefined } from "@plimsoll/core/internal";
import { findAccount, type ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { parseIsoSeconds } from "../../values/dates.ts";
import { checkGlobs } from "../../values/globs.ts";
import { pick } from "../../values/pick.ts";
import {
  type ExternalProxy,
  type ExternalRegistryConfig,
  hideCredentials,
  mergeConfig,
  proxyAddresses,
  type StoredConfig,
} from "./external-config.ts";
import { parseExternalReference } from "./external-reference.ts";
import { findMirror, grantPushing, insertMirror, type MirrorRow, updateMirror } from "./queries.ts";

/** After this many failures in a row, a mirror waits until it is due again. */
export const mirrorRetries = 3;

/** The body of a request about a mirror. */
interface MirrorRequest {
  readonly is_enabled?: boolean;
  readonly external_reference?: string;
  /** Empty: none. */
  readonly external_registry_username?: string | undefined;
  readonly external_registry_password?: string | undefined;
  readonly external_registry_config?: ExternalRegistryConfig;
  readonly sync_start_date?: string;
  readonly sync_interval?: number;
  readonly skopeo_timeout_interval?: number;
  readonly robot_username?: string;
  readonly root_rule?: { readonly rule_kind: "tag_glob_csv"; readonly rule_value: readonly string[] };
}

/** One change, as the usage log names it. */
type MirrorChange = readonly [name: string, value: unknown];

/** The mirror of a repository. @throws RegistryError `not_found` */
export async function getMirror({ db }: CallContext, { id }: ImageRepository): Promise<MirrorRow> {
  const mirror = await findMirror(db, id);
  if (mirror === undefined) throw notFound("The repository is not a mirror: create its mirror configuration first");
  return mirror;
}

/** Resolves the address of the other registry and checks that requests to it are allowed. @throws RegistryError `invalid_request` */
export async function checkExternalHost({ outgoing }: CallContext, reference: string | undefined): Promise<void> {
  if (reference === undefined) return;
  const { hostname, path } = parseExternalReference("external_reference", reference);
  if (path === "") throw invalidRequest("external_reference: expected host/path, found no path");
  await outgoing.check(hostname);
}

/** Makes a repository a mirror: its state is `MIRROR` from then on. @throws RegistryError `invalid_request` */
export async function createMirror(
  context: CallContext<"repo_mirror_config_changed">,
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
    sync_waits_until: null,
    sync_transaction_id: randomUUID(),
    tag_patterns: "[]",
    robot_id: "",
    ...withoutUndefined(await changesOf(context, { repository, config: {} }, request)),
  };
  const isNew = await insertMirror(db, row);
  if (!isNew) throw invalidRequest("The repository has a mirror configuration already");
  await logMirrorChange(context, repository, ["external_reference", request.external_reference]);
}

/** Changes what the request names. @throws RegistryError `invalid_request`, `not_found` */
export async function changeMirror(
  context: CallContext<"repo_mirror_config_changed">,
  repository: ImageRepository,
  request: MirrorRequest,
): Promise<void> {
  const mirror = await getMirror(context, repository);
  const { external_registry_username: username = mirror.external_username ?? "" } = request;
  checkCredentials(username, request.external_registry_password);
  const config = JSON.parse(mirror.external_config) as StoredConfig;
  const changes = await changesOf(context, { repository, config }, request);
  await updateMirror(context.db, repository.id, { ...changes, sync_waits_until: null });
  for (const change of namedChanges(request)) await logMirrorChange(context, repository, change);
}

function checkCredentials(username: string | undefined, password: string | undefined): void {
  if (!password || username) return;
  throw invalidRequest("Unable to set a new password without also specifying a username.");
}

async function changesOf(
  context: CallContext,
  { repository, config }: { readonly repository: ImageRepository; readonly config: StoredConfig },
  request: MirrorRequest,
) {
  const { secrets } = context;
  const { external_registry_password: password, external_registry_username: username, root_rule: rule } = request;
  const { external_registry_config: given, robot_username: robotName } = request;
  return {
    is_enabled: request.is_enabled === undefined ? undefined : request.is_enabled ? (1 as const) : (0 as const),
    external_reference: request.external_reference,
    external_username: username === undefined ? undefined : username || null,
    external_password_sealed: username !== undefined && !username ? null : undefined,
    ...(password !== undefined && { external_password_sealed: password ? secrets.seal(password) : null }),
    external_config: given && JSON.stringify(mergeConfig(secrets, config, given)),
    sync_start_at: request.sync_start_date === undefined ? undefined : parseSyncDate(request.sync_start_date),
    sync_interval_s: request.sync_interval,
    sync_timeout_s: request.skopeo_timeout_interval,
    tag_patterns: rule && storedGlobs(rule.rule_value),
    robot_id: robotName === undefined ? undefined : await assignRobot(context, repository, robotName),
  };
}

/** @throws RegistryError `invalid_request` for globs that take too long together */
function storedGlobs(globs: readonly string[]): string {
  checkGlobs(globs);
  return JSON.stringify(globs);
}

/** Parses an instant such as `2026-11-21T12:00:00Z`. @throws RegistryError `invalid_request` for another format */
function parseSyncDate(text: string): number {
  const at = parseIsoSeconds(text);
  if (at !== undefined) return at;
  throw invalidRequest(
    `Incorrect DateTime format for sync_start_date: expected YYYY-MM-DDThh:mm:ssZ, found ${JSON.stringify(text)}`,
  );
}

/** Finds the robot that pushes, in the repository's namespace, and grants it the role `write`. @returns its id */
async function assignRobot({ db }: CallContext, repository: ImageRepository, username: string): Promise<string> {
  const robotId = await getPushingRobotId(db, repository.namespace, username);
  await grantPushing(db, { repositoryId: repository.id, accountId: robotId });
  return robotId;
}

/** The changes of a request for the usage log: unknown members are left out, and passwords are hidden. */
function namedChanges(request: MirrorRequest): readonly MirrorChange[] {
  const { external_registry_config: config = {}, external_registry_password: password, root_rule: rule } = request;
  const { external_registry_username: username } = request;
  const named = {
    ...pick(request, ["is_enabled", "external_reference"]),
    external_registry_username: username === "" ? null : username,
    external_registry_password: password === undefined ? undefined : "********",
    ...pick(request, ["sync_start_date", "sync_interval", "skopeo_timeout_interval", "robot_username"]),
    ...pick(config, ["verify_tls", "unsigned_images"]),
    ...proxyChanges(config.proxy ?? {}),
    mirror_rule: rule?.rule_value,
  };
  return Object.entries(withoutUndefined(named));
}

/** The address of a proxy may hold a password. */
function proxyChanges({ no_proxy, ...addresses }: ExternalProxy) {
  const shown = Object.entries(pick(addresses, proxyAddresses)).map(
    ([name, address]) => [name, address === null ? null : hideCredentials(address)] as const,
  );
  return { ...Object.fromEntries(shown), ...(no_proxy !== undefined && { no_proxy }) };
}

/** Writes a change of a mirror to the usage log. */
export async function logMirrorChange(
  { log }: CallContext<"repo_mirror_config_changed">,
  { name: repo, namespace }: ImageRepository,
  [changed, to]: MirrorChange,
): Promise<void> {
  await log("repo_mirror_config_changed", { repo, namespace, changed, to });
}

/** The id of the robot of a namespace that pushes what a mirror copies. @throws RegistryError `invalid_request` for any other name */
export async function getPushingRobotId(db: RegistryDb, namespace: string, username: string): Promise<string> {
  const robot = await findAccount(db, username, "robot");
  if (robot !== undefined && username.startsWith(`${namespace}+`)) return robot.id;
  throw invalidRequest(`Invalid robot: ${namespace} has no robot ${JSON.stringify(username)}`);
}
