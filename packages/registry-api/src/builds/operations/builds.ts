import { superusers } from "@plimsoll/registry/access/on-account";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { includesRole } from "@plimsoll/registry/access/roles";
import { readBuildLog } from "@plimsoll/registry/builds/build-log";
import { buildName, buildStaleSeconds, maxArguments } from "@plimsoll/registry/builds/build-request";
import { storedSource } from "@plimsoll/registry/builds/build-source";
import { cancelBuild, requestBuild } from "@plimsoll/registry/builds/builds";
import { type BuildRow, findBuild, getBuild, listBuilds, unfinished } from "@plimsoll/registry/builds/queries";
import { RegistryError } from "@plimsoll/registry/errors";
import { formatDate } from "@plimsoll/registry/values/dates";
import { type Static, type TSchema, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { largestInteger, type OperationInput, operation, repositoryApiPath } from "../../operation.ts";

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Anything = Type.Record(Type.String(), Type.Unknown());

/** A build with its status. */
const BuildView = Type.Object({
  id: Type.String(),
  phase: Type.String(),
  started: Type.String(),
  display_name: Type.String(),
  status: Anything,
  subdirectory: Type.String(),
  dockerfile_path: Type.String(),
  context: Type.String(),
  tags: Type.Array(Type.String()),
  manual_user: nullable(Type.String()),
  is_writer: Type.Boolean(),
  trigger: nullable(Type.Object({ id: Type.String(), service: Type.String() })),
  trigger_metadata: nullable(Anything),
  resource_key: Type.Null(),
  pull_robot: nullable(Type.Object({ name: Type.String(), kind: Type.String(), is_robot: Type.Boolean() })),
  repository: Type.Object({ namespace: Type.String(), name: Type.String() }),
  error: nullable(Type.String()),
  archive_url: Type.Optional(Type.String()),
  file_id: Type.Optional(Type.String()),
  git_url: Type.Optional(Type.String()),
  git_ref: Type.Optional(Type.String()),
});

/** A part of the log of a build. */
const BuildLog = Type.Object({
  start: Type.Integer(),
  total: Type.Integer(),
  logs: Type.Array(Anything),
});

/** How long after its request a build may end: all of its attempts begin before it is stale. */
const longestMs = 2 * buildStaleSeconds * 1000;

const buildReading = {
  tag: "build",
  feature: "builds",
  method: "GET",
  access: onRepository("read"),
  success: 200,
} as const;

const path = Type.String({ maxLength: 1024 });
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
});

const NewBuild = Type.Object({
  archive_url: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: "A tar archive, compressed with gzip or not, or a zip archive, that needs no credentials to read",
    }),
  ),
  file_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: "The digest of such an archive that was pushed into the repository as a blob",
    }),
  ),
  git_url: Type.Optional(
    Type.String({ maxLength: 2048, description: "A git repository that can be read without credentials, by https" }),
  ),
  git_ref: Type.Optional(
    Type.String({ maxLength: 255, description: "A branch, a tag or the hash of a commit; HEAD where absent" }),
  ),
  subdirectory: Type.Optional(path),
  dockerfile_path: Type.Optional(path),
  context: Type.Optional(path),
  pull_robot: Type.Optional(Type.String({ maxLength: 512 })),
  tags: Type.Optional(tags),
  docker_tags: Type.Optional(tags),
  build_args: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
      maxProperties: maxArguments,
      description: `Values of the Dockerfile's \`ARG\`s, at most ${maxArguments}; not for secrets: the image shows them`,
    }),
  ),
});

const maxListed = 1000;

function writes({ role }: RepositorySubject, { globalRole }: OperationContext): boolean {
  return includesRole(role, "write") || globalRole.hasFullAccess;
}

function view(build: BuildRow, subject: RepositorySubject, context: OperationContext) {
  return buildView(build, { isWriter: writes(subject, context), now: context.now });
}

async function show(
  { subject, params }: OperationInput<RepositorySubject, unknown, unknown, { readonly build_uuid: string }>,
  context: OperationContext,
) {
  return view(await getBuild(context.db, params.build_uuid, subject.repository), subject, context);
}

const requestRepoBuild = operation({
  id: "requestRepoBuild",
  audit: ["build_dockerfile"],
  method: "POST",
  path: "/repository/{repository}/build/",
  summary: "Request a build of an image, which is then pushed.",
  tag: "build",
  feature: "builds",
  access: onRepository("write", { onlyNormal: true }),
  body: NewBuild,
  success: 201,
  result: BuildView,
  async handle({ subject, body }, context) {
    const build = await requestBuild(context, subject.repository, body);
    context.setHeader("location", `${repositoryApiPath(subject.repository)}/build/${build.id}/status`);
    return view(build, subject, context);
  },
});

const getRepoBuilds = operation({
  ...buildReading,
  id: "getRepoBuilds",
  path: "/repository/{repository}/build/",
  summary: "The builds of a repository, the newest first.",
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestInteger,
        description: "5 where absent; larger values than 1000 count as 1000",
      }),
    ),
    since: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000_000, description: "Unix time" })),
  }),
  result: Type.Object({ builds: Type.Array(BuildView) }),
  async handle({ subject, query: { limit = 5, since = 0 } }, context) {
    const builds = await listBuilds(context.db, subject.repository, { limit: Math.min(limit, maxListed), since });
    return { builds: builds.map((build) => view(build, subject, context)) };
  },
});

const getRepoBuild = operation({
  ...buildReading,
  id: "getRepoBuild",
  versionMembers: ["phase"],
  path: "/repository/{repository}/build/{build_uuid}",
  summary: "One build.",
  result: BuildView,
  handle: show,
});

const getRepoBuildStatus = operation({
  ...buildReading,
  id: "getRepoBuildStatus",
  path: "/repository/{repository}/build/{build_uuid}/status",
  summary: "The status of a build.",
  result: BuildView,
  handle: show,
});

const getRepoBuildLogs = operation({
  ...buildReading,
  id: "getRepoBuildLogs",
  path: "/repository/{repository}/build/{build_uuid}/logs",
  summary: "The log of a build, for users who may write to the repository.",
  access: onRepository("write", { scope: "repo:read" }),
  query: Type.Object({
    start: Type.Optional(Type.Integer({ minimum: 0, maximum: largestInteger, description: "The first entry" })),
  }),
  result: BuildLog,
  async handle({ subject, params, query }, context) {
    const { id } = await getBuild(context.db, params.build_uuid, subject.repository);
    return readBuildLog(context, id, query.start ?? 0);
  },
});

const cancelRepoBuild = operation({
  id: "cancelRepoBuild",
  version: getRepoBuild,
  audit: ["cancel_build"],
  method: "DELETE",
  path: "/repository/{repository}/build/{build_uuid}",
  summary: "Stop a build.",
  tag: "build",
  feature: "builds",
  access: onRepository("admin", { onlyNormal: true }),
  success: 204,
  handle: ({ subject, params }, context) => cancelBuild(context, subject.repository, params.build_uuid),
});

/** The operations on builds of a repository. */
export const buildOperations = [
  getRepoBuildStatus,
  getRepoBuildLogs,
  getRepoBuild,
  cancelRepoBuild,
  requestRepoBuild,
  getRepoBuilds,
];

const superuserReading = {
  tag: "superuser",
  feature: "builds",
  method: "GET",
  access: superusers,
  freshLogin: true,
  success: 200,
} as const;

/** A build of any repository. @throws RegistryError `invalid_response` for a missing one; other operations answer `not_found` */
async function getAnyBuild(
  { params }: Pick<OperationInput<unknown, unknown, unknown, { readonly build_uuid: string }>, "params">,
  context: OperationContext,
) {
  const build = await findBuild(context.db, params.build_uuid);
  if (build === undefined) throw new RegistryError("invalid_response", "Build not found");
  return build;
}

/** Builds of any repository, for superusers. */
export const superuserBuildOperations = [
  operation({
    ...superuserReading,
    id: "getRepoBuildStatusSuperUser",
    path: "/superuser/{build_uuid}/status",
    summary: "The status of a build.",
    result: BuildView,
    handle: async (input, context) =>
      buildView(await getAnyBuild(input, context), { isWriter: true, now: context.now }),
  }),
  operation({
    ...superuserReading,
    id: "getRepoBuildSuperUser",
    path: "/superuser/{build_uuid}/build",
    summary: "One build.",
    result: BuildView,
    handle: async ({ params }, context) =>
      buildView(await getBuild(context.db, params.build_uuid), { isWriter: true, now: context.now }),
  }),
  operation({
    ...superuserReading,
    id: "getRepoBuildLogsSuperUser",
    path: "/superuser/{build_uuid}/logs",
    summary: "The log of a build.",
    query: Type.Object({ start: Type.Optional(Type.Integer({ minimum: 0, maximum: largestInteger })) }),
    result: BuildLog,
    handle: async (input, context) =>
      readBuildLog(context, (await getAnyBuild(input, context)).id, input.query.start ?? 0),
  }),
];

/** Shows a build. Only users who may write to the repository see its source. */
function buildView(
  build: BuildRow,
  { isWriter, now }: { readonly isWriter: boolean; readonly now: number },
): Static<typeof BuildView> {
  const isExpired = now - build.created_at > longestMs && unfinished.some((phase) => phase === build.phase);
  const source = storedSource(build);
  return {
    id: build.id,
    phase: isExpired ? "expired" : build.phase,
    started: formatDate(build.created_at),
    display_name: buildName(source),
    status: {},
    subdirectory: build.dockerfile_path,
    dockerfile_path: build.dockerfile_path,
    context: build.context,
    tags: JSON.parse(build.tags) as string[],
    manual_user: build.manual_user,
    is_writer: isWriter,
    trigger: build.trigger_id === null ? null : { id: build.trigger_id, service: "custom-git" },
    trigger_metadata: {},
    resource_key: null,
    pull_robot: build.pull_robot === null ? null : { name: build.pull_robot, kind: "user", is_robot: true },
    repository: { namespace: build.namespace, name: build.repository_name },
    error: build.error,
    archive_url: isWriter && source.kind === "archive" ? source.url : undefined,
    file_id: isWriter && source.kind === "upload" ? source.digest : undefined,
    ...(isWriter && source.kind === "git" && { git_url: source.url, git_ref: source.ref }),
  };
}
