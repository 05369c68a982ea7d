import { onRepository } from "@plimsoll/registry/access/on-repository";
import { maxArguments } from "@plimsoll/registry/builds/build-request";
import { type BuildTriggerRow, listTriggers } from "@plimsoll/registry/builds/queries/triggers";
import {
  createTrigger,
  deleteTrigger,
  getTrigger,
  type TriggeredRequest,
  toggleTrigger,
} from "@plimsoll/registry/builds/triggers";
import { baseUrl } from "@plimsoll/registry/settings";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";

const resource = { tag: "build", feature: "builds", isOwn: true, access: onRepository("admin") } as const;
const list = "/repository/{repository}/trigger/";
const one = "/repository/{repository}/trigger/{trigger_uuid}";

const place = Type.Optional(Type.String({ maxLength: 1024 }));
const glob = Type.String({ minLength: 1, maxLength: 256 });

const same = {
  subdirectory: place,
  dockerfile_path: place,
  context: place,
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems: 100,
      description: "Where absent: the name of the branch or tag, and latest for the default branch",
    }),
  ),
  build_args: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: maxArguments }),
  ),
};

const NewTrigger = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 255 })),
  git_url: Type.String({ maxLength: 2048, description: "The git repository to build: by https, without credentials" }),
  refs: Type.Optional(
    Type.Array(glob, {
      minItems: 1,
      maxItems: 100,
      description:
        "Globs that match whole names of references, such as refs/heads/main; all branches and tags where absent",
    }),
  ),
  ...same,
});

const Trigger = Type.Object({
  id: Type.String(),
  title: Type.String(),
  url: Type.String({ description: "The address for the webhook of the forge" }),
  enabled: Type.Boolean(),
  git_url: Type.String(),
  refs: Type.Array(Type.String()),
  ...same,
});

function view(trigger: BuildTriggerRow, { request }: OperationContext): Static<typeof Trigger> {
  const { tags, ...others } = JSON.parse(trigger.request) as TriggeredRequest;
  return {
    id: trigger.id,
    title: trigger.title,
    url: `${baseUrl(request.origin)}/webhooks/push/trigger/${trigger.id}`,
    enabled: trigger.is_enabled === 1,
    git_url: trigger.git_url,
    refs: JSON.parse(trigger.refs) as string[],
    ...others,
    tags: tags && [...tags],
  };
}

const getBuildTrigger = operation({
  ...resource,
  id: "getBuildTrigger",
  versionMembers: ["enabled"],
  method: "GET",
  path: one,
  summary: "One build trigger.",
  success: 200,
  result: Trigger,
  handle: async ({ subject, params }, context) =>
    view(await getTrigger(context, subject.repository, params.trigger_uuid), context),
});

/** The operations on build triggers. */
export const buildTriggerOperations = [
  operation({
    ...resource,
    id: "listBuildTriggers",
    method: "GET",
    path: list,
    summary: "The build triggers of a repository: webhooks of forges.",
    success: 200,
    result: Type.Object({ triggers: Type.Array(Trigger) }),
    async handle({ subject }, context) {
      const triggers = await listTriggers(context.db, subject.repository.id);
      return { triggers: triggers.map((each) => view(each, context)) };
    },
  }),
  operation({
    ...resource,
    id: "createBuildTrigger",
    audit: ["setup_repo_trigger"],
    method: "POST",
    path: list,
    summary: "Create a build trigger: a webhook of a forge, which signs its deliveries, builds an image for each push.",
    body: NewTrigger,
    success: 201,
    result: Type.Object({
      ...Trigger.properties,
      secret: Type.String({ description: "The secret with which the forge signs; it is shown only in this response" }),
    }),
    async handle({ subject, body }, context) {
      const { trigger, secret } = await createTrigger(context, subject.repository, body);
      return { ...view(trigger, context), secret };
    },
  }),
  getBuildTrigger,
  operation({
    ...resource,
    id: "toggleBuildTrigger",
    version: getBuildTrigger,
    audit: ["toggle_repo_trigger"],
    method: "PUT",
    path: one,
    summary: "Turn a build trigger on or off.",
    body: Type.Object({ enabled: Type.Boolean() }),
    success: 200,
    result: Trigger,
    handle: async ({ subject, params, body }, context) =>
      view(await toggleTrigger(context, subject.repository, { id: params.trigger_uuid, ...body }), context),
  }),
  operation({
    ...resource,
    id: "deleteBuildTrigger",
    version: getBuildTrigger,
    audit: ["delete_repo_trigger"],
    method: "DELETE",
    path: one,
    summary: "Delete a build trigger.",
    success: 204,
    handle: ({ subject, params }, context) => deleteTrigger(context, subject.repository, params.trigger_uuid),
  }),
];
