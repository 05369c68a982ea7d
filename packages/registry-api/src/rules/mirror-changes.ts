import type { OperationContext } from "../context.ts";
import type { ImageRepository } from "../store/image-repositories.ts";

/** How the other registry is reached. */
export interface ExternalRegistryConfig {
  readonly verify_tls?: boolean;
  readonly unsigned_images?: boolean;
  readonly proxy?: ExternalProxy;
}

/** Through whom the other registry is reached. */
export interface ExternalProxy {
  readonly http_proxy?: string;
  readonly https_proxy?: string;
  readonly no_proxy?: string;
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

/** One change, as the usage log names it. */
export type MirrorChange = readonly [name: string, value: unknown];

/** How the other registry is reached from now on: what is not named stays as it is. */
export function mergeConfig(stored: ExternalRegistryConfig, given: ExternalRegistryConfig): ExternalRegistryConfig {
  const proxy = pick({ ...stored.proxy, ...given.proxy }, ["http_proxy", "https_proxy", "no_proxy"]);
  const flags = pick({ ...stored, ...given }, ["verify_tls", "unsigned_images"]);
  return { ...flags, ...(Object.keys(proxy).length > 0 && { proxy }) };
}

/** What a request changes: members that mean nothing are none, and passwords are not told. */
export function namedChanges(request: MirrorRequest): readonly MirrorChange[] {
  const { external_registry_config: config = {}, external_registry_password: password, root_rule: rule } = request;
  const named = {
    ...pick(request, ["is_enabled", "external_reference", "external_registry_username"]),
    ...(password !== undefined && { external_registry_password: "********" }),
    ...pick(request, ["sync_start_date", "sync_interval", "skopeo_timeout_interval", "robot_username"]),
    ...pick(config, ["verify_tls", "unsigned_images"]),
    ...proxyChanges(config.proxy ?? {}),
    ...(rule && { mirror_rule: rule.rule_value }),
  };
  return Object.entries(named);
}

/** The address of a proxy may hold a password. */
function proxyChanges({ no_proxy, ...addresses }: NonNullable<ExternalRegistryConfig["proxy"]>) {
  const told = Object.entries(pick(addresses, ["http_proxy", "https_proxy"])).map(
    ([name, address]) => [name, address.replace(/^(\w+:\/\/)?.*@/, "$1********@")] as const,
  );
  return { ...Object.fromEntries(told), ...(no_proxy !== undefined && { no_proxy }) };
}

/** Says in the usage log that something of a mirror was changed. */
export async function logMirrorChange(
  { log }: OperationContext,
  { name: repo, namespace }: ImageRepository,
  [changed, to]: MirrorChange,
): Promise<void> {
  await log("repo_mirror_config_changed", { repo, namespace, changed, to });
}

function pick<From extends object, Name extends keyof From>(from: From, names: readonly Name[]): Pick<From, Name> {
  const members = names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]] as const]));
  return Object.fromEntries(members) as Pick<From, Name>;
}
