import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { findAccountById } from "@plimsoll/registry/access/queries";
import { cancelSync, syncNow } from "@plimsoll/registry/sources/mirrors/mirror-runs";
import { changeMirror, checkExternalHost, createMirror, getMirror } from "@plimsoll/registry/sources/mirrors/mirrors";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { ExternalConfig, externalLogin } from "./schemas.ts";
import { mirrorView, ViewMirrorConfig } from "./views.ts";

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
    await createMirror(context, subject.repository, body);
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
    await changeMirror(context, subject.repository, body);
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
