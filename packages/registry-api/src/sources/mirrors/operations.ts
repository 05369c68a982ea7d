import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { findAccountById } from "@plimsoll/registry/access/queries";
import { type StoredConfig, shownConfig } from "@plimsoll/registry/sources/mirrors/external-config";
import { cancelSync, syncNow } from "@plimsoll/registry/sources/mirrors/mirror-runs";
import { changeMirror, checkExternalHost, createMirror, getMirror } from "@plimsoll/registry/sources/mirrors/mirrors";
import type { MirrorRow } from "@plimsoll/registry/sources/mirrors/queries";
import { formatIsoSeconds } from "@plimsoll/registry/values/dates";
import { type Static, type TSchema, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation, withoutNull } from "../../operation.ts";

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The configuration and state of a mirror. Passwords are never shown. */
const ViewMirrorConfig = Type.Object({
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

const clearableText = Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]));

/** The credentials for the other registry. */
export const externalLogin = { external_registry_username: clearableText, external_registry_password: clearableText };

/** How the other registry is reached. */
export const ExternalConfig = Type.Object({
  unsigned_images: Type.Optional(Type.Boolean()),
  verify_tls: Type.Optional(Type.Boolean()),
  proxy: Type.Optional(Type.Object({ http_proxy: clearableText, https_proxy: clearableText, no_proxy: clearableText })),
});

/** A mirror as clients see it. */
function mirrorView(mirror: MirrorRow, robotName: string | null): Static<typeof ViewMirrorConfig> {
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

const resource = {
  tag: "mirror",
  feature: "mirroring",
  access: onRepository("admin"),
  result: ViewMirrorConfig,
  resultModel: "ViewMirrorConfig",
} as const;

const interval = Type.Integer({ minimum: 1, maximum: 10 * 31_536_000, description: "Seconds" });

const fields = {
  external_reference: Type.String({ minLength: 1, maxLength: 512, description: "host/path of the other repository" }),
  sync_start_date: Type.String({ maxLength: 40, description: "When it is due next: YYYY-MM-DDThh:mm:ssZ" }),
  sync_interval: interval,
  robot_username: Type.String({ maxLength: 512, description: "The robot that pushes" }),
  root_rule: Type.Object({
    rule_kind: Type.Literal("tag_glob_csv"),
    rule_value: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 1000 }),
  }),
};

const optionalFields = {
  is_enabled: Type.Optional(Type.Boolean()),
  ...externalLogin,
  external_registry_config: Type.Optional(ExternalConfig),
  skopeo_timeout_interval: Type.Optional(Type.Integer({ minimum: 300, maximum: 86_400, description: "Seconds" })),
};

const NewMirror = Type.Object({ ...fields, ...optionalFields });
const MirrorChange = Type.Object({
  external_reference: Type.Optional(fields.external_reference),
  sync_start_date: Type.Optional(fields.sync_start_date),
  sync_interval: Type.Optional(fields.sync_interval),
  robot_username: Type.Optional(fields.robot_username),
  root_rule: Type.Optional(fields.root_rule),
  ...optionalFields,
});

const getRepoMirrorConfig = operation({
  ...resource,
  id: "getRepoMirrorConfig",
  versionMembers: [
    "external_reference",
    "sync_interval",
    "robot_username",
    "root_rule",
    "is_enabled",
    "external_registry_username",
    "external_registry_config",
    "skopeo_timeout_interval",
  ],
  method: "GET",
  path: "/repository/{repository}/mirror",
  summary: "How a repository is kept in step with another.",
  success: 200,
  handle: ({ subject }, context) => show(subject, context),
});

const createRepoMirrorConfig = operation({
  ...resource,
  id: "createRepoMirrorConfig",
  audit: ["repo_mirror_config_changed"],
  method: "POST",
  path: "/repository/{repository}/mirror",
  summary: "Make a repository a mirror of one in another registry. Only the mirror can then push to it.",
  body: NewMirror,
  success: 201,
  prepare: ({ body }, context) => checkExternalHost(context, body.external_reference),
  async handle({ subject, body }, context) {
    await createMirror(context, subject.repository, withoutNull(body, ""));
    return show(subject, context);
  },
});

const changeRepoMirrorConfig = operation({
  ...resource,
  id: "changeRepoMirrorConfig",
  version: getRepoMirrorConfig,
  audit: ["repo_mirror_config_changed"],
  method: "PUT",
  path: "/repository/{repository}/mirror",
  summary: "Change how a repository is kept in step.",
  body: MirrorChange,
  success: 201,
  prepare: ({ body }: { readonly body: Static<typeof MirrorChange> }, context) =>
    checkExternalHost(context, body.external_reference),
  async handle({ subject, body }, context) {
    await changeMirror(context, subject.repository, withoutNull(body, ""));
    return show(subject, context);
  },
});

const syncNowOperation = operation({
  ...resource,
  id: "syncNow",
  audit: ["repo_mirror_config_changed"],
  method: "POST",
  path: "/repository/{repository}/mirror/sync-now",
  summary: "Synchronize as soon as possible.",
  success: 201,
  async handle({ subject }, context) {
    await syncNow(context, subject.repository);
    return show(subject, context);
  },
});

const syncCancelOperation = operation({
  ...resource,
  id: "syncCancel",
  audit: ["repo_mirror_config_changed"],
  method: "POST",
  path: "/repository/{repository}/mirror/sync-cancel",
  summary: "Stop the synchronization that is under way.",
  success: 201,
  async handle({ subject }, context) {
    await cancelSync(context, subject.repository);
    return show(subject, context);
  },
});

/** The current configuration. */
async function show({ repository }: RepositorySubject, context: OperationContext) {
  const mirror = await getMirror(context, repository);
  const robot = await findAccountById(context.db, mirror.robot_id);
  return mirrorView(mirror, robot?.username ?? null);
}

/** Operations on mirrors. */
export const mirrorOperations = [
  syncCancelOperation,
  syncNowOperation,
  getRepoMirrorConfig,
  changeRepoMirrorConfig,
  createRepoMirrorConfig,
];
