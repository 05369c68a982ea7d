import { onRepository } from "@plimsoll/registry/access/on-repository";
import { digestOf, getShownManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { listAliveTagsOf } from "@plimsoll/registry/content/queries/tags";
import { findAliveTag } from "@plimsoll/registry/content/tags";
import { notFound } from "@plimsoll/registry/errors";
import { countedPulls, countPullsByTag, countPullsOf } from "@plimsoll/registry/logs/queries/usage-log";
import { formatOptionalDate } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";
import type { OperationContext } from "../context.ts";
import { operation } from "../operation.ts";

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

async function ofManifest({ db, now }: OperationContext, { repositoryId, manifestId, digest }: OneManifest) {
  const tags = await listAliveTagsOf(db, { repositoryId, manifestId, now });
  const pulls = await countPullsOf(db, repositoryId, { digest, tags: tags.slice(0, mostTags) });
  return { manifest_pull_count: pulls.count, last_manifest_pull_date: formatOptionalDate(pulls.lastAt) };
}
