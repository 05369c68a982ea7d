import type { BlobStore } from "../ports.ts";
import { isObject, type ParsedManifest, texts } from "./parse-manifest.ts";

/** Configurations that hold labels. */
const imageConfigs: ReadonlySet<string> = new Set([
  "application/vnd.oci.image.config.v1+json",
  "application/vnd.docker.container.image.v1+json",
]);

/** A configuration that is larger is not looked into. */
const maxConfigBytes = 4 * 1024 * 1024;

/**
 * The labels that an image brings: of its configuration, overlaid by the manifest's annotations. An artifact or an index has only
 * the latter. What is missing or malformed has none: whether it may be pushed is decided elsewhere.
 */
export async function readImageLabels(
  blobs: BlobStore,
  { config, annotations }: ParsedManifest,
): Promise<Readonly<Record<string, string>>> {
  if (config === undefined || !imageConfigs.has(config.mediaType)) return annotations;
  const sizeBytes = await blobs.find(config.digest);
  if (sizeBytes === undefined || sizeBytes > maxConfigBytes) return annotations;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(config.digest)) chunks.push(chunk);
  return { ...labelsOf(Buffer.concat(chunks).toString("utf8")), ...annotations };
}

function labelsOf(content: string): Readonly<Record<string, string>> {
  try {
    const image: unknown = JSON.parse(content);
    return isObject(image) && isObject(image.config) ? texts(image.config.Labels) : {};
  } catch {
    return {};
  }
}
