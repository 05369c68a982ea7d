import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository } from "@plimsoll/registry/access/on-repository";
import { expireTag } from "@plimsoll/registry/content/expire-tag";
import { changeImmutabilityPolicy } from "@plimsoll/registry/content/immutability-policies";
import { changeOrganizationPolicy } from "@plimsoll/registry/content/organization-immutability";
import { Type } from "typebox";
import { AddedPolicy } from "../content/operations/immutability-policies.ts";
import { operation } from "../operation.ts";

const policy = { tag: "policy", method: "PUT", body: AddedPolicy, success: 204 } as const;

/** Operations on tags and policies that only the reference has. */
export const contentOperations = [
  operation({
    id: "removeTagFromTimemachine",
    audit: ["permanently_delete_tag"],
    method: "POST",
    path: "/repository/{repository}/tag/{tag}/expire",
    summary: "Remove a tag, or its earlier lifetimes, so that it cannot be restored.",
    tag: "tag",
    access: onRepository("write", { onlyNormal: true }),
    body: Type.Object({
      manifest_digest: Type.Optional(Type.String({ maxLength: 255, description: "Required unless is_alive" })),
      include_submanifests: Type.Optional(Type.Boolean({ description: "Manifests of an index go with it always" })),
      is_alive: Type.Optional(Type.Boolean({ description: "Whether to remove the tag as it is now" })),
    }),
    needsBody: true,
    success: 200,
    result: Type.Literal(""),
    async handle({ subject: { repository }, params, body }, context) {
      await expireTag({ repository, name: params.tag }, body, context);
      return "" as const;
    },
  }),
  operation({
    ...policy,
    id: "updateOrgImmutabilityPolicy",
    audit: ["update_immutability_policy"],
    path: "/organization/{orgname}/immutabilitypolicy/{policy_uuid}",
    summary: "Change an immutability policy of an organization.",
    access: onOrganization("admin"),
    handle: ({ subject: { organization }, params, body }, context) =>
      changeOrganizationPolicy(context, organization, { uuid: params.policy_uuid, ...body }),
  }),
  operation({
    ...policy,
    id: "updateRepositoryImmutabilityPolicy",
    audit: ["update_immutability_policy"],
    path: "/repository/{repository}/immutabilitypolicy/{policy_uuid}",
    summary: "Change an immutability policy of a repository.",
    access: onRepository("admin"),
    handle: ({ subject: { repository }, params, body }, context) =>
      changeImmutabilityPolicy(context, repository, { uuid: params.policy_uuid, ...body }),
  }),
];
