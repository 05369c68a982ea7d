import { onRepository } from "../../access/on-repository.ts";
import { operation } from "../../operation.ts";
import { readImageHistory } from "../image-config.ts";
import { getShownManifest } from "../queries/image-manifests.ts";
import { ManifestView, manifestView } from "../views/image-manifest.ts";

const getRepoManifest = operation({
  id: "getRepoManifest",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}",
  summary: "An image manifest and the steps that made the image.",
  tag: "manifest",
  about: { manifestref: "The digest of the manifest" },
  access: onRepository("read"),
  success: 200,
  result: ManifestView,
  async handle({ subject: { repository }, params: { manifestref: digest } }, { db, ports, now }) {
    const manifest = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    return manifestView(manifest, await readImageHistory(ports.blobs, manifest));
  },
});

/** Operations on image manifests, named by their digest. */
export const imageManifestOperations = [getRepoManifest];
