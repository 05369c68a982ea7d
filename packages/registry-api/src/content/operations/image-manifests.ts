import { isDigest } from "@plimsoll/core/digest";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { readImageHistory } from "@plimsoll/registry/content/image-config";
import { noManifest } from "@plimsoll/registry/content/manifest-reference";
import { getShownManifest, type ImageManifestRow } from "@plimsoll/registry/content/queries/image-manifests";
import { contentOf } from "@plimsoll/registry/content/queries/manifest-content";
import { listPushesAt } from "@plimsoll/registry/content/queries/tag-pushers";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { listRepositoryTags } from "../list-tags.ts";
import { ManifestView, manifestView } from "../views/image-manifest.ts";

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
    const view = { ...manifestView(manifest, await readImageHistory(blobs, manifest)), ...(tag && { tag }) };
    if (!query.pushers) return view;
    const by = subject.role === "admin" ? await findFirstPusher(db, manifest) : undefined;
    return { ...view, pushed_ts: Math.floor(manifest.created_at / 1000), ...(by !== undefined && { pushed_by: by }) };
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
  const pushes = await listPushesAt(db, repositoryId, [at]);
  const [first, ...others] = new Set(pushes.map(({ performer_name: by }) => by));
  return others.length === 0 ? (first ?? undefined) : undefined;
}

/** Operations on image manifests, named by their digest or a tag. */
export const imageManifestOperations = [getRepoManifest];
