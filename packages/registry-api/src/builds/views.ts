import { buildName, buildStaleSeconds } from "@plimsoll/registry/builds/build-request";
import { storedSource } from "@plimsoll/registry/builds/build-source";
import { type BuildRow, unfinished } from "@plimsoll/registry/builds/queries";
import { formatDate } from "@plimsoll/registry/values/dates";
import { type Static, type TSchema, Type } from "typebox";

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Anything = Type.Record(Type.String(), Type.Unknown());

/** A build with its status. */
export const BuildView = Type.Object({
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
export const BuildLog = Type.Object({
  start: Type.Integer(),
  total: Type.Integer(),
  logs: Type.Array(Anything),
});

/** How long after its request a build may end: all of its attempts begin before it is stale. */
const longestMs = 2 * buildStaleSeconds * 1000;

/** Shows a build. Only users who may write to the repository see its source. */
export function buildView(
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
