import { anyone } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository } from "@plimsoll/registry/access/on-repository";
import { expireTag } from "@plimsoll/registry/content/change-tag";
import { parsePolicies } from "@plimsoll/registry/content/immutability";
import {
  changeImmutabilityPolicy,
  changeOrganizationPolicy,
  listOrganizationPolicies,
} from "@plimsoll/registry/content/immutability-policies";
import { digestOf, getShownManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { listAliveTagsOf } from "@plimsoll/registry/content/queries/tags";
import { findAliveTag } from "@plimsoll/registry/content/tags";
import { notFound } from "@plimsoll/registry/errors";
import { countedPulls, countPullsByTag, countPullsOf } from "@plimsoll/registry/logs/queries/usage-log";
import type { ImmutabilityPolicy } from "@plimsoll/registry/store/tables/content";
import { formatOptionalDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import { AddedPolicy, Policy, shownPolicies } from "../content/operations/immutability-policies.ts";
import type { OperationContext } from "../context.ts";
import { operation } from "../operation.ts";

const onePolicy = {
  tag: "policy",
  method: "GET",
  success: 200,
  result: Policy,
  versionMembers: ["tagPattern", "tagPatternMatches"],
} as const;

/** The version of a policy of an organization, which the reference changes. */
export const getOrgImmutabilityPolicy = operation({
  ...onePolicy,
  id: "getOrgImmutabilityPolicy",
  path: "/organization/{orgname}/immutabilitypolicy/{policy_uuid}",
  summary: "An immutability policy of an organization.",
  access: onOrganization("member"),
  handle: async ({ subject: { organization }, params }, { db }) =>
    policyOf(await listOrganizationPolicies(db, organization.id), params.policy_uuid),
});

/** The version of a policy of a repository. */
export const getRepositoryImmutabilityPolicy = operation({
  ...onePolicy,
  id: "getRepositoryImmutabilityPolicy",
  path: "/repository/{repository}/immutabilitypolicy/{policy_uuid}",
  summary: "An immutability policy of a repository.",
  access: onRepository("read"),
  handle: async ({ subject: { repository }, params }) =>
    policyOf(parsePolicies(repository.immutability_policies), params.policy_uuid),
});

/** @throws RegistryError `not_found` */
function policyOf(policies: readonly ImmutabilityPolicy[], uuid: string): Static<typeof Policy> {
  const [found] = shownPolicies(policies).filter((each) => each.uuid === uuid);
  if (found === undefined) throw notFound("There is no immutability policy with that uuid");
  return found;
}

const changedPolicy = { tag: "policy", method: "PUT", body: AddedPolicy, success: 204 } as const;

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
  getOrgImmutabilityPolicy,
  operation({
    ...changedPolicy,
    id: "updateOrgImmutabilityPolicy",
    version: getOrgImmutabilityPolicy,
    audit: ["update_immutability_policy"],
    path: "/organization/{orgname}/immutabilitypolicy/{policy_uuid}",
    summary: "Change an immutability policy of an organization.",
    access: onOrganization("admin"),
    handle: ({ subject: { organization }, params, body }, context) =>
      changeOrganizationPolicy(context, organization, { uuid: params.policy_uuid, ...body }),
  }),
  getRepositoryImmutabilityPolicy,
  operation({
    ...changedPolicy,
    id: "updateRepositoryImmutabilityPolicy",
    version: getRepositoryImmutabilityPolicy,
    audit: ["update_immutability_policy"],
    path: "/repository/{repository}/immutabilitypolicy/{policy_uuid}",
    summary: "Change an immutability policy of a repository.",
    access: onRepository("admin"),
    handle: ({ subject: { repository }, params, body }, context) =>
      changeImmutabilityPolicy(context, repository, { uuid: params.policy_uuid, ...body }),
  }),
];

const OptionalDate = Type.Union([Type.String(), Type.Null()]);

const count = Type.Integer({ description: `Among the last ${countedPulls} pulls that the usage log still has` });

const resource = { method: "GET", success: 200, access: onRepository("read") } as const;

/** How many tags of one image are counted with it. */
const mostTags = 20;

/** How often tags and images were pulled, as the reference tells it. */
export const pullStatisticsOperations = [
  operation({
    ...resource,
    id: "getTagPullStatistics",
    path: "/repository/{repository}/tag/{tag}/pull_statistics",
    summary: "How often a tag was pulled, and its image.",
    tag: "tag",
    result: Type.Object({
      tag_name: Type.String(),
      tag_pull_count: count,
      last_tag_pull_date: OptionalDate,
      current_manifest_digest: Type.String(),
      manifest_pull_count: count,
      last_manifest_pull_date: OptionalDate,
    }),
    async handle({ subject: { repository }, params: { tag: name } }, context) {
      const { db, now } = context;
      const alive = await findAliveTag(db, { repositoryId: repository.id, name, now });
      const digest = alive && (await digestOf(db, alive.manifest_id));
      if (digest == null)
        throw notFound(`There is no tag ${name}: list the tags of the repository to see those that are there`);
      const pulls = await countPullsByTag(db, repository.id, name);
      return {
        tag_name: name,
        tag_pull_count: pulls.count,
        last_tag_pull_date: formatOptionalDate(pulls.lastAt),
        current_manifest_digest: digest,
        ...(await ofManifest(context, { repositoryId: repository.id, manifestId: alive?.manifest_id ?? "", digest })),
      };
    },
  }),
  operation({
    ...resource,
    id: "getManifestPullStatistics",
    path: "/repository/{repository}/manifest/{manifestref}/pull_statistics",
    summary: "How often an image was pulled.",
    tag: "manifest",
    result: Type.Object({
      manifest_digest: Type.String(),
      manifest_pull_count: count,
      last_manifest_pull_date: OptionalDate,
    }),
    async handle({ subject: { repository }, params: { manifestref: digest } }, context) {
      const place = { repositoryId: repository.id, digest };
      const { id: manifestId } = await getShownManifest(context.db, { ...place, now: context.now });
      return { manifest_digest: digest, ...(await ofManifest(context, { ...place, manifestId })) };
    },
  }),
];

interface OneManifest {
  readonly repositoryId: string;
  readonly manifestId: string;
  readonly digest: string;
}

const Capabilities = Type.Object({
  sparse_manifests: Type.Object({
    supported: Type.Boolean({ description: "The setting `sparseIndexes`" }),
    required_architectures: Type.Array(Type.String()),
    optional_architectures_allowed: Type.Boolean(),
  }),
  mirror_architectures: Type.Array(Type.String(), { description: "None: a mirror copies the images of all platforms" }),
});

/** What the console of the reference asks before it shows settings of mirrors and of indexes. */
export const capabilitiesOperations = [
  operation({
    id: "getRegistryCapabilities",
    method: "GET",
    path: "/registry/capabilities",
    summary: "What the registry supports.",
    tag: "discovery",
    access: anyone,
    success: 200,
    result: Capabilities,
    async handle(_, { settings: { sparseIndexes } }) {
      const sparse_manifests = {
        supported: sparseIndexes,
        required_architectures: [],
        optional_architectures_allowed: sparseIndexes,
      };
      return { sparse_manifests, mirror_architectures: [] };
    },
  }),
];

async function ofManifest({ db, now }: OperationContext, { repositoryId, manifestId, digest }: OneManifest) {
  const tags = await listAliveTagsOf(db, { repositoryId, manifestId, now });
  const pulls = await countPullsOf(db, repositoryId, { digest, tags: tags.slice(0, mostTags) });
  return { manifest_pull_count: pulls.count, last_manifest_pull_date: formatOptionalDate(pulls.lastAt) };
}
