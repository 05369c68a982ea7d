import { withoutUndefined } from "@plimsoll/core/internal";
import type { ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { pick } from "../../values/pick.ts";
import { type ExternalProxy, type ExternalRegistryConfig, hideCredentials, proxyAddresses } from "./external-config.ts";

/** The body of a request about a mirror. */
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

/** The changes of a request for the usage log: unknown members are left out, and passwords are hidden. */
export function namedChanges(request: MirrorRequest): readonly MirrorChange[] {
  const { external_registry_config: config = {}, external_registry_password: password, root_rule: rule } = request;
  const named = {
    ...pick(request, ["is_enabled", "external_reference", "external_registry_username"]),
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
