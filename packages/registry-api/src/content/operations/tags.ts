import { isDigest } from "@plimsoll/core/digest";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { changeTag as change, deleteTag, restoreTag as restore } from "@plimsoll/registry/content/change-tag";
import { readImageHistory } from "@plimsoll/registry/content/image-config";
import {
  contentOf,
  getShownManifest,
  type ImageManifestRow,
} from "@plimsoll/registry/content/queries/manifest-content";
import { type AttachedManifest, listAttachedManifests } from "@plimsoll/registry/content/queries/referrers";
import { listTagChangesAt } from "@plimsoll/registry/content/queries/tags";
import { noManifest } from "@plimsoll/registry/content/stored-manifest";
import { ListPageQuery, nextPage, orderParameter, readListPage } from "@plimsoll/registry/lists/list-pages";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { formatIsoSeconds } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { largestInteger, operation } from "../../operation.ts";
import { listRepositoryTags } from "../list-tags.ts";
import { ManifestView, manifestView, TagView } from "../views.ts";

const tag = "tag";
const path = "/repository/{repository}/tag/{tag}";
const toChange = onRepository("write", { onlyNormal: true });

/** Epoch seconds: the end of the year 9999. */
const endOfDates = Date.UTC(10_000, 0) / 1000 - 1;

const Digest = Type.String({ maxLength: 255, description: "algorithm:hex" });

const listRepoTags = operation({
  id: "listRepoTags",
  method: "GET",
  path: "/repository/{repository}/tag/",
  summary: "The tags of the repository with their history, the latest first.",
  tag,
  access: onRepository("read"),
  query: Type.Object({
    onlyActiveTags: Type.Optional(Type.Boolean({ description: "Without expired tags" })),
    page: Type.Optional(Type.Integer({ maximum: 10_000_000, description: "From 1" })),
    limit: Type.Optional(
      Type.Integer({ maximum: largestInteger, description: "How many tags a page has: 50 where absent, at most 100" }),
    ),
    filter_tag_name: Type.Optional(Type.String({ maxLength: 255, description: "like:<part> or eq:<name>" })),
    specificTag: Type.Optional(Type.String({ maxLength: 255 })),
    order: orderParameter(["name", "changed", "size"], "-changed"),
    total: Type.Optional(
      Type.Boolean({ description: "With the number of tags on all pages, up to 10,000; Plimsoll's own" }),
    ),
    severities: Type.Optional(
      Type.Boolean({ description: "Whether each tag has the counts of its vulnerabilities; Plimsoll's own" }),
    ),
    pushers: Type.Optional(
      Type.Boolean({
        description: "Whether each tag has the user who pushed it, for admins of the repository; Plimsoll's own",
      }),
    ),
    actors: Type.Optional(
      Type.Boolean({
        description:
          "Whether each tag has who began and who ended its lifetime, for admins of the repository; Plimsoll's own",
      }),
    ),
  }),
  success: 200,
  result: Type.Object({
    tags: Type.Array(TagView),
    page: Type.Integer(),
    has_additional: Type.Boolean(),
    total: Type.Optional(Type.Integer()),
  }),
  handle: ({ subject, query }, context) => listRepositoryTags(subject, query, context),
});

const changeTag = operation({
  id: "changeTag",
  keeps: "tags",
  audit: ["create_tag", "change_tag_expiration", "move_tag", "change_tag_immutability"],
  method: "PUT",
  path,
  summary: "Create or change a tag: its manifest, its expiration, and whether it is immutable.",
  tag,
  access: toChange,
  body: Type.Object({
    manifest_digest: Type.Optional(Type.Union([Digest, Type.Null()])),
    expiration: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: endOfDates }), Type.Null()], {
        description: "Epoch seconds, in the future; null: the tag does not expire",
      }),
    ),
    immutable: Type.Optional(
      Type.Boolean({
        description: "Whether nothing may change the tag from now on; false needs admin on the repository",
      }),
    ),
  }),
  success: 201,
  result: Type.Literal("Updated"),
  async handle({ subject, params, body }, context) {
    const { manifest_digest, expiration, immutable } = body;
    const wanted = {
      manifest_digest: manifest_digest ?? undefined,
      expiration: expiration === null ? ("never" as const) : expiration,
      immutable,
    };
    await change({ ...subject, name: params.tag }, wanted, context);
    return "Updated" as const;
  },
});

const deleteFullTag = operation({
  id: "deleteFullTag",
  audit: ["delete_tag"],
  method: "DELETE",
  path,
  summary: "Delete a tag; it can be restored for the time that the namespace sets.",
  tag,
  access: toChange,
  success: 204,
  handle: ({ subject: { repository }, params }, context) => deleteTag({ repository, name: params.tag }, context),
});

const restoreTag = operation({
  id: "restoreTag",
  keeps: "tags",
  audit: ["revert_tag"],
  method: "POST",
  path: "/repository/{repository}/tag/{tag}/restore",
  summary: "Put a tag back to an earlier manifest.",
  tag,
  access: toChange,
  body: Type.Object({ manifest_digest: Digest }),
  success: 201,
  result: Type.Object({}),
  async handle({ subject: { repository }, params, body }, context) {
    await restore({ repository, name: params.tag }, body.manifest_digest, context);
    return {};
  },
});

/** Operations on tags. */
export const tagOperations = [listRepoTags, changeTag, deleteFullTag, restoreTag];

const getRepoManifest = operation({
  id: "getRepoManifest",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}",
  summary: "An image manifest and the steps that made the image.",
  tag: "manifest",
  about: { manifestref: "The digest of the manifest, or a tag" },
  access: onRepository("read"),
  query: Type.Object({
    pushers: Type.Optional(
      Type.Boolean({
        description:
          "Whether the response has the time of the first push, and for admins of the repository also its user; Plimsoll's own",
      }),
    ),
  }),
  success: 200,
  result: ManifestView,
  async handle({ subject, params: { manifestref: reference }, query }, context) {
    const { db, blobs, now } = context;
    const tag = isDigest(reference) ? undefined : await getTag(subject, { name: reference, ...query }, context);
    const digest = tag?.manifest_digest ?? reference;
    const row = await getShownManifest(db, { repositoryId: subject.repository.id, digest, now });
    const manifest = { ...row, content: await contentOf(db, row) };
    const view = { ...manifestView(manifest, await readImageHistory(blobs, manifest)), tag };
    if (!query.pushers) return view;
    const by = subject.role === "admin" ? await findFirstPusher(db, manifest) : undefined;
    return { ...view, pushed_ts: Math.floor(manifest.created_at / 1000), pushed_by: by };
  },
});

interface RequestedTag {
  readonly name: string;
  readonly pushers?: boolean;
}

/** An alive tag. @throws RegistryError `not_found` */
async function getTag(subject: RepositorySubject, { name, ...options }: RequestedTag, context: OperationContext) {
  const request = { ...options, specificTag: name, onlyActiveTags: true, limit: 1 };
  const [tag] = (await listRepositoryTags(subject, request, context)).tags;
  if (tag === undefined) throw noManifest(name);
  return tag;
}

/** The user of a manifest's first push; undefined if the usage log has none, or several at that instant. */
async function findFirstPusher(
  db: RegistryDb,
  { repository_id: repositoryId, created_at: at }: Pick<ImageManifestRow, "repository_id" | "created_at">,
): Promise<string | undefined> {
  const pushes = await listTagChangesAt(db, { repositoryId, instants: [at], kinds: ["push_repo"] });
  const [first, ...others] = new Set(pushes.map(({ performer_name: by }) => by));
  return others.length === 0 ? (first ?? undefined) : undefined;
}

/** Operations on image manifests, named by their digest or a tag. */
export const imageManifestOperations = [getRepoManifest];

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
