import { type StoredConfig, shownConfig } from "@plimsoll/registry/sources/mirrors/external-config";
import type { MirrorRow } from "@plimsoll/registry/sources/mirrors/queries";
import { formatIsoSeconds } from "@plimsoll/registry/values/dates";
import { type Static, type TSchema, Type } from "typebox";

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The configuration and state of a mirror. Passwords are never shown. */
export const ViewMirrorConfig = Type.Object({
  is_enabled: Type.Boolean(),
  mirror_type: Type.Literal("PULL"),
  external_reference: Type.String(),
  external_registry_username: nullable(Type.String()),
  external_registry_config: Type.Record(Type.String(), Type.Unknown()),
  sync_interval: Type.Integer({ description: "Seconds" }),
  sync_start_date: nullable(Type.String()),
  sync_expiration_date: nullable(Type.String()),
  sync_retries_remaining: nullable(Type.Integer()),
  sync_status: Type.Enum(["NEVER_RUN", "SYNC_NOW", "SYNCING", "SUCCESS", "FAIL", "CANCEL"]),
  root_rule: Type.Object({ rule_kind: Type.Literal("tag_glob_csv"), rule_value: Type.Array(Type.String()) }),
  robot_username: nullable(Type.String()),
  skopeo_timeout_interval: Type.Integer({ description: "Seconds" }),
  architecture_filter: Type.Array(Type.String()),
});

/** A mirror as clients see it. */
export function mirrorView(mirror: MirrorRow, robotName: string | null): Static<typeof ViewMirrorConfig> {
  return {
    is_enabled: mirror.is_enabled === 1,
    mirror_type: "PULL",
    external_reference: mirror.external_reference,
    external_registry_username: mirror.external_username,
    external_registry_config: { ...shownConfig(JSON.parse(mirror.external_config) as StoredConfig) },
    sync_interval: mirror.sync_interval_s,
    sync_start_date: isoSeconds(mirror.sync_start_at),
    sync_expiration_date: isoSeconds(mirror.sync_expires_at),
    sync_retries_remaining: mirror.sync_retries,
    sync_status: mirror.sync_state,
    root_rule: { rule_kind: "tag_glob_csv", rule_value: JSON.parse(mirror.tag_patterns) as string[] },
    robot_username: robotName,
    skopeo_timeout_interval: mirror.sync_timeout_s,
    architecture_filter: [],
  };
}

function isoSeconds(at: number | null): string | null {
  return at === null ? null : formatIsoSeconds(at);
}
