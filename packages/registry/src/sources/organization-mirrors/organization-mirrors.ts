import { ScanError } from "@plimsoll/core";
import { withoutUndefined } from "@plimsoll/core/internal";
import { cancelJob, enqueueJob } from "@plimsoll/store";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound, RegistryError } from "../../errors.ts";
import type { Visibility } from "../../store/tables/content.ts";
import { checkGlobs } from "../../values/globs.ts";
import { endCancelledRun } from "../mirrors/emit-run-event.ts";
import { type ExternalRegistryConfig, mergeConfig, type StoredConfig } from "../mirrors/external-config.ts";
import { parseExternalReference, upstreamAddress } from "../mirrors/external-reference.ts";
import { withdrawSync } from "../mirrors/mirror-runs.ts";
import { getPushingRobotId } from "../mirrors/mirrors.ts";
import { discoverRepositoriesJob } from "./jobs.ts";
import {
  deleteOrganizationMirrorRow,
  enableDerived,
  findOrganizationMirror,
  insertOrganizationMirror,
  listRunningMirrors,
  type OrganizationMirrorRow,
  updateOrganizationMirror,
} from "./queries.ts";
import { repositoryFilter } from "./repository-filter.ts";

/** The body of a request about the mirror of an organization. */
export interface OrganizationMirrorRequest {
  readonly is_enabled?: boolean;
  readonly external_registry?: string;
  /** Empty: none. */
  readonly external_registry_username?: string | undefined;
  readonly external_registry_password?: string | undefined;
  readonly external_registry_config?: ExternalRegistryConfig;
  readonly repository_rule?: readonly string[];
  readonly tag_rule?: readonly string[];
  readonly visibility?: Visibility;
  readonly robot_username?: string;
  readonly sync_interval?: number;
  readonly skopeo_timeout_interval?: number;
}

type Context = CallContext<"org_mirror_config_changed">;

/** The configuration of an organization. @throws RegistryError `not_found` */
export async function getOrganizationMirror(
  { db }: Pick<CallContext, "db">,
  { id }: AccountRow,
): Promise<OrganizationMirrorRow> {
  const mirror = await findOrganizationMirror(db, id);
  if (mirror === undefined) throw noMirror();
  return mirror;
}

/** Resolves the address of the other registry and checks that requests to it are allowed. @throws RegistryError `invalid_request` */
export async function checkExternalRegistry({ outgoing }: CallContext, registry: string | undefined): Promise<void> {
  if (registry === undefined) return;
  await outgoing.check(parseExternalReference("external_registry", registry).hostname);
}

/** Makes an organization mirror another registry, whose catalog is due at once. @throws RegistryError `invalid_request` */
export async function createOrganizationMirror(
  context: Context,
  organization: AccountRow,
  request: OrganizationMirrorRequest &
    Required<Pick<OrganizationMirrorRequest, "external_registry" | "repository_rule" | "robot_username">>,
): Promise<void> {
  const row: OrganizationMirrorRow = {
    organization_id: organization.id,
    is_enabled: 1,
    external_registry: request.external_registry,
    external_password_sealed: null,
    external_config: "{}",
    repository_patterns: "[]",
    tag_patterns: JSON.stringify(["*"]),
    visibility: "private",
    robot_id: "",
    sync_interval_s: 86_400,
    sync_timeout_s: 300,
    state: "NEVER_RUN",
    message: "",
    discovered_at: null,
    ...withoutUndefined(await changesOf(context, { organization, config: {}, username: "" }, request)),
    discover_at: context.now,
  };
  const isNew = await insertOrganizationMirror(context.db, row);
  if (!isNew) throw invalidRequest("The organization has a mirror configuration already");
  await logChange(context, organization, request);
}

/** Changes what the request names. The catalog is due at once, which applies the changes to the mirrors. @throws RegistryError `invalid_request`, `not_found` */
export async function changeOrganizationMirror(
  context: Context,
  organization: AccountRow,
  request: OrganizationMirrorRequest,
): Promise<void> {
  const mirror = await getOrganizationMirror(context, organization);
  const known = {
    config: JSON.parse(mirror.external_config) as StoredConfig,
    username: mirror.external_username ?? "",
  };
  const changes = await changesOf(context, { organization, ...known }, request);
  await updateOrganizationMirror(context.db, organization.id, { ...changes, discover_at: context.now });
  if (request.is_enabled !== undefined)
    await enableDerived(context.db, organization.id, { isEnabled: request.is_enabled });
  await logChange(context, organization, request);
}

/** Makes the catalog due at once. @throws RegistryError `not_found`, `invalid_request` if the mirror is not enabled */
export async function scheduleDiscovery(context: Context, organization: AccountRow): Promise<void> {
  const { is_enabled } = await getOrganizationMirror(context, organization);
  if (is_enabled !== 1) throw invalidRequest("The mirror is not enabled");
  await updateOrganizationMirror(context.db, organization.id, { discover_at: context.now });
  await context.log("org_mirror_config_changed", { namespace: organization.username, changed: ["discovery"] });
}

/** Queues a reading of the catalog at once, instead of waiting for the schedule. */
export async function queueDiscovery(
  { db, clock }: Pick<CallContext, "db" | "clock">,
  { id }: AccountRow,
): Promise<void> {
  await enqueueJob(db, discoverRepositoriesJob.of({ organizationId: id, namespaceId: id }), clock);
}

/** Sets when the catalog is read next. @param at epoch milliseconds */
export async function planDiscovery({ db }: Pick<Context, "db">, { id }: AccountRow, at: number): Promise<void> {
  await updateOrganizationMirror(db, id, { discover_at: at });
}

/** Deletes the configuration. The repositories stay, each with its own mirror. @throws RegistryError `not_found` */
export async function deleteOrganizationMirror(context: Context, organization: AccountRow): Promise<void> {
  if (!(await deleteOrganizationMirrorRow(context.db, organization.id))) throw noMirror();
  await context.log("org_mirror_config_changed", { namespace: organization.username, changed: ["deleted"] });
}

/** Logs the names of the changed members without their values, since some are secret. */
async function logChange({ log }: Context, { username }: AccountRow, request: OrganizationMirrorRequest) {
  await log("org_mirror_config_changed", { namespace: username, changed: Object.keys(request) });
}

interface Known {
  readonly organization: AccountRow;
  readonly config: StoredConfig;
  readonly username: string;
}

async function changesOf(context: CallContext, known: Known, request: OrganizationMirrorRequest) {
  const { secrets } = context;
  const { external_registry_password: password, external_registry_username: username = known.username } = request;
  if (password && !username) throw invalidRequest("external_registry_password: expected a username as well");
  const { external_registry_config: given, robot_username: robotName, visibility } = request;
  repositoryFilter(request.repository_rule ?? []); // refuses a rule that takes too long
  checkGlobs(request.tag_rule ?? []);
  return {
    is_enabled: request.is_enabled === undefined ? undefined : request.is_enabled ? (1 as const) : (0 as const),
    external_registry: request.external_registry,
    external_username: username || null,
    external_password_sealed: !username ? null : undefined,
    ...(password !== undefined && { external_password_sealed: password ? secrets.seal(password) : null }),
    external_config: given && JSON.stringify(mergeConfig(secrets, known.config, given)),
    repository_patterns: request.repository_rule && JSON.stringify(request.repository_rule),
    tag_patterns: request.tag_rule && JSON.stringify(request.tag_rule),
    visibility,
    sync_interval_s: request.sync_interval,
    sync_timeout_s: request.skopeo_timeout_interval,
    robot_id:
      robotName === undefined ? undefined : await getPushingRobotId(context.db, known.organization.username, robotName),
  };
}

function noMirror() {
  return notFound("The organization mirrors no other one: create its mirror configuration first");
}

/**
 * Cancels the reading of the catalog of an organization that mirrors another registry, and the runs of its mirrors. Later ones come as planned.
 * @throws RegistryError `not_found`
 */
export async function cancelMirroring(
  context: CallContext<"org_mirror_config_changed">,
  organization: AccountRow,
): Promise<void> {
  const { db, now, log } = context;
  await getOrganizationMirror(context, organization);
  await cancelJob(db, discoverRepositoriesJob.keyOf({ organizationId: organization.id }));
  for (const id of await listRunningMirrors(db, organization.id)) {
    await endCancelledRun(db, id, now);
    await withdrawSync(db, { id });
  }
  await log("org_mirror_config_changed", { namespace: organization.username, changed: ["cancelled"] });
}

/** Whether the catalog of another registry could be read. */
interface Probe {
  readonly success: boolean;
  readonly message: string;
}

/** How long the other registry may take. */
const patienceMs = 10_000;

/** Reads the catalog of the registry that an organization mirrors, and stores nothing. @throws RegistryError `not_found` */
export async function probeRegistry(context: CallContext, organization: AccountRow): Promise<Probe> {
  const { outgoing, upstreams, secrets, caller } = context;
  const mirror = await getOrganizationMirror(context, organization);
  const { path: _, ...address } = upstreamAddress(secrets, { ...mirror, external_reference: mirror.external_registry });
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(patienceMs)]);
  try {
    await outgoing.check(address.hostname);
    await using catalog = await upstreams.openCatalog(address);
    const names = await catalog.listRepositories(signal);
    return { success: true, message: `Connection successful: the catalog has ${names.length} repositories` };
  } catch (error) {
    const isToldOff = error instanceof ScanError || error instanceof RegistryError || signal.aborted;
    if (!isToldOff) throw error;
    return { success: false, message: `Connection failed: ${(error as Error).message}` };
  }
}
