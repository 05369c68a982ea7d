import { contentOf, findStoredManifest, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import { entriesOf } from "../content/stored-manifest.ts";
import { notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** An image, and where it was chosen from a list: for which platform, of which ones. */
export interface PlatformImage {
  readonly image: ImageManifestRow;
  /** Such as `linux/arm64/v8`. */
  readonly platform?: string;
  readonly platforms?: string[];
}

/**
 * The image that a manifest is, or that an image index has for a platform: by default its first one.
 * @throws RegistryError `not_found` where the index has none for it
 */
export async function getPlatformImage(
  db: RegistryDb,
  manifest: ImageManifestRow,
  platform?: string,
): Promise<PlatformImage> {
  if (manifest.is_index !== 1) return { image: manifest };
  const entries = imagesOf(await contentOf(db, manifest));
  const platforms = entries.map(({ name }) => name);
  const entry = entries.find(({ name }) => platform === undefined || name === platform);
  const digest = entry?.digest ?? "";
  const image = await findStoredManifest(db, { repositoryId: manifest.repository_id, digest });
  if (entry !== undefined && image !== undefined) return { image, platform: entry.name, platforms };
  const which = platform === undefined ? "a platform" : JSON.stringify(platform);
  throw notFound(
    `The list of images ${manifest.digest} has none here for ${which}: it has ${platforms.join(", ") || "none"}`,
  );
}

/** The images of an index, without attestations: those name no platform, or `unknown/unknown`. */
function imagesOf(content: string): readonly { readonly digest: string; readonly name: string }[] {
  return entriesOf(content)
    .map(({ digest, platform: { os, architecture, variant } }) => ({
      digest,
      name: [os, architecture, variant].filter(Boolean).join("/"),
    }))
    .filter(({ name }) => name.includes("/") && !name.startsWith("unknown/"));
}
