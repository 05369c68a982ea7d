import { Type } from "typebox";
import { onRepository } from "../../access/on-repository.ts";
import { operation } from "../../operation.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { readImageHistory } from "../image-config.ts";
import { getShownManifest, type ImageManifestRow } from "../queries/image-manifests.ts";
import { listPushesAt } from "../queries/tag-pushers.ts";
import { ManifestView, manifestView } from "../views/image-manifest.ts";

const getRepoManifest = operation({
  id: "getRepoManifest",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}",
  summary: "An image manifest and the steps that made the image.",
  tag: "manifest",
  about: { manifestref: "The digest of the manifest" },
  access: onRepository("read"),
  query: Type.Object({
    pushers: Type.Optional(
      Type.Boolean({
        description:
          "With when it was first pushed, and by whom for those with admin on the repository; Plimsoll's own",
      }),
    ),
  }),
  success: 200,
  result: ManifestView,
  async handle({ subject: { repository, role }, params: { manifestref: digest }, query }, { db, ports, now }) {
    const manifest = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    const view = manifestView(manifest, await readImageHistory(ports.blobs, manifest));
    if (!query.pushers) return view;
    const by = role === "admin" ? await findFirstPusher(db, manifest) : undefined;
    return { ...view, pushed_ts: Math.floor(manifest.created_at / 1000), ...(by !== undefined && { pushed_by: by }) };
  },
});

/** Who pushed a manifest when it came; undefined where the usage log does not say it, or says it of several. */
async function findFirstPusher(
  db: RegistryDb,
  { repository_id: repositoryId, created_at: at }: Pick<ImageManifestRow, "repository_id" | "created_at">,
): Promise<string | undefined> {
  const pushes = await listPushesAt(db, repositoryId, [at]);
  const [first, ...others] = new Set(pushes.map(({ performer_name: by }) => by));
  return others.length === 0 ? (first ?? undefined) : undefined;
}

/** Operations on image manifests, named by their digest. */
export const imageManifestOperations = [getRepoManifest];
