import { superusers } from "@plimsoll/registry/access/on-account";
import { findBuild, getBuild } from "@plimsoll/registry/builds/queries";
import { readBuildLog } from "@plimsoll/registry/builds/read-log";
import { RegistryError } from "@plimsoll/registry/errors";
import { Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { type OperationInput, operation } from "../../operation.ts";
import { BuildLog, BuildView, buildView } from "../views.ts";

const reading = {
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
    ...reading,
    id: "getRepoBuildStatusSuperUser",
    path: "/superuser/{build_uuid}/status",
    summary: "The status of a build.",
    result: BuildView,
    handle: async (input, context) =>
      buildView(await getAnyBuild(input, context), { isWriter: true, now: context.now }),
  }),
  operation({
    ...reading,
    id: "getRepoBuildSuperUser",
    path: "/superuser/{build_uuid}/build",
    summary: "One build.",
    result: BuildView,
    handle: async ({ params }, context) =>
      buildView(await getBuild(context.db, params.build_uuid), { isWriter: true, now: context.now }),
  }),
  operation({
    ...reading,
    id: "getRepoBuildLogsSuperUser",
    path: "/superuser/{build_uuid}/logs",
    summary: "The log of a build.",
    query: Type.Object({ start: Type.Optional(Type.Integer({ minimum: 0 })) }),
    result: BuildLog,
    handle: async (input, context) =>
      readBuildLog(context, (await getAnyBuild(input, context)).id, input.query.start ?? 0),
  }),
];
