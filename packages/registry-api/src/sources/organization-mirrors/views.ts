import { type StoredConfig, shownConfig } from "@plimsoll/registry/sources/mirrors/external-config";
import type { listDiscovered, OrganizationMirrorRow } from "@plimsoll/registry/sources/organization-mirrors/queries";
import { formatDate, formatOptionalDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** How an organization mirrors another registry. Passwords are never shown. */
export const OrganizationMirror = Type.Object({
  is_enabled: Type.Boolean(),
  external_registry: Type.String(),
  external_registry_username: nullableText,
  external_registry_config: Type.Record(Type.String(), Type.Unknown()),
  repository_rule: Type.Array(Type.String()),
  tag_rule: Type.Array(Type.String()),
  visibility: Type.Enum(["public", "private"]),
  robot_username: nullableText,
  sync_interval: Type.Integer({ description: "Seconds" }),
  skopeo_timeout_interval: Type.Integer({ description: "Seconds" }),
  discovery_status: Type.Enum(["NEVER_RUN", "SUCCESS", "FAIL"]),
  discovery_message: Type.String({ description: "Why the catalog could not be read" }),
  last_discovery: nullableText,
  next_discovery: nullableText,
});
export type OrganizationMirror = Static<typeof OrganizationMirror>;

/** A configuration as clients see it. */
export function organizationMirrorView(mirror: OrganizationMirrorRow, robotName: string | null): OrganizationMirror {
  return {
    is_enabled: mirror.is_enabled === 1,
    external_registry: mirror.external_registry,
    external_registry_username: mirror.external_username,
    external_registry_config: { ...shownConfig(JSON.parse(mirror.external_config) as StoredConfig) },
    repository_rule: JSON.parse(mirror.repository_patterns) as string[],
    tag_rule: JSON.parse(mirror.tag_patterns) as string[],
    visibility: mirror.visibility,
    robot_username: robotName,
    sync_interval: mirror.sync_interval_s,
    skopeo_timeout_interval: mirror.sync_timeout_s,
    discovery_status: mirror.state,
    discovery_message: mirror.message,
    last_discovery: formatOptionalDate(mirror.discovered_at),
    next_discovery: formatOptionalDate(mirror.is_enabled === 1 ? mirror.discover_at : null),
  };
}

/** A repository of the catalog and the state of its mirror. */
export const DiscoveredRepository = Type.Object({
  external_name: Type.String(),
  repository: Type.Union([Type.String(), Type.Null()], { description: "Its name in the organization" }),
  state: Type.Enum(["mirrored", "gone", "refused"], {
    description: "gone: not in the catalog any more, and kept here",
  }),
  reason: Type.String({ description: "Why it is refused" }),
  changed: Type.String(),
});
export type DiscoveredRepository = Static<typeof DiscoveredRepository>;

/** A repository of the catalog as clients see it. */
export function discoveredView(row: Awaited<ReturnType<typeof listDiscovered>>[number]): DiscoveredRepository {
  const { external_name, repository, state, reason, changed_at } = row;
  return { external_name, repository, state, reason, changed: formatDate(changed_at) };
}
