import { onRepository } from "@plimsoll/registry/access/on-repository";
import { getShownManifest } from "@plimsoll/registry/content/queries/image-manifests";
import { type AttachedManifest, listAttachedManifests } from "@plimsoll/registry/content/queries/referrers";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import { formatIsoSeconds } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";
import { operation } from "../../operation.ts";

const Referrer = Type.Object({
  digest: Type.String(),
  media_type: Type.String(),
  artifact_type: Type.Union([Type.String(), Type.Null()], {
    description: "The artifact type of the manifest; where it has none, the media type of its configuration",
  }),
  size: Type.Integer({ description: "The size of the manifest in bytes" }),
  created: Type.String({ format: "date-time", description: "When it was pushed" }),
});

const listRepoManifestReferrers = operation({
  id: "listRepoManifestReferrers",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/referrers",
  summary: "The referrers of an image: signatures, attestations, bills of materials and other artifacts.",
  tag: "manifest",
  isOwn: true,
  about: { manifestref: "The digest of the manifest" },
  access: onRepository("read"),
  query: ListPageQuery,
  success: 200,
  mayBeLong: true,
  result: Type.Object({ referrers: Type.Array(Referrer), ...nextPage }),
  async handle({ subject: { repository }, params: { manifestref: digest }, query }, context) {
    const { db, now } = context;
    const { id: ownerId } = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    const list = { list: "referrers", ownerId, query, ...byDigest } as const;
    const { rows, ...next } = await readListPage(context, list, (from) =>
      listAttachedManifests(db, { repositoryId: repository.id, subject: digest, now }, from),
    );
    return { referrers: rows.map(referrerView), ...next };
  },
});

const byDigest = {
  first: [""] as readonly [digest: string],
  keyOf: ({ digest }: AttachedManifest): readonly [digest: string] => [digest],
};

function referrerView({
  digest,
  media_type,
  artifact_type,
  config_media_type,
  size_bytes,
  created_at,
}: AttachedManifest) {
  return {
    ...{ digest, media_type, artifact_type: artifact_type ?? config_media_type, size: size_bytes },
    created: formatIsoSeconds(created_at),
  };
}

/** The operation on referrers of image manifests. */
export const referrerOperations = [listRepoManifestReferrers];
