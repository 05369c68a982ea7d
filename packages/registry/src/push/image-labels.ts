import { readImageConfig } from "../content/image-config.ts";
import { ContentError } from "../content-error.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { isObject } from "../values/misread-members.ts";
import { labelTexts, maxLabels, type ParsedManifest } from "./parse-manifest.ts";

/** The media types of configurations with labels. */
const imageConfigs: ReadonlySet<string> = new Set([
  "application/vnd.oci.image.config.v1+json",
  "application/vnd.docker.container.image.v1+json",
]);

/**
 * The labels of a pushed image: those of its configuration, overridden by the manifest's annotations. An artifact or an index has
 * only the latter. A configuration that is missing or malformed has none.
 * @throws ContentError `manifest_invalid`
 */
export async function readImageLabels(
  blobs: BlobStore,
  manifest: ParsedManifest,
): Promise<Readonly<Record<string, string>>> {
  const { "": _, ...labels } = await readLabels(blobs, manifest); // a label without a key could not be requested
  const count = Object.keys(labels).length;
  if (count <= maxLabels) return labels;
  throw new ContentError("manifest_invalid", `expected at most ${maxLabels} labels and annotations, found ${count}`);
}

async function readLabels(
  blobs: BlobStore,
  { config, annotations }: ParsedManifest,
): Promise<Readonly<Record<string, string>>> {
  if (config === undefined || !imageConfigs.has(config.mediaType)) return annotations;
  const image = await readImageConfig(blobs, config.digest);
  const labels = isObject(image) && isObject(image.config) ? labelTexts(image.config.Labels) : {};
  return { ...labels, ...annotations };
}
