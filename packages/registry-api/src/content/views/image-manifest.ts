import type { HistoryEntry, ShownManifest } from "@plimsoll/registry/content/image-config";
import { layersOf, type StoredLayer } from "@plimsoll/registry/content/stored-manifest";
import { formatDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import { TagView } from "./tag.ts";

const OptionalText = Type.Union([Type.String(), Type.Null()]);
const OptionalCount = Type.Union([Type.Integer(), Type.Null()]);

/** A build step of an image, with its layer. */
const LayerView = Type.Object({
  index: Type.Integer({ description: "0 is the base" }),
  compressed_size: OptionalCount,
  is_remote: Type.Boolean({ description: "Whether its content is fetched from another host" }),
  urls: Type.Union([Type.Array(Type.String()), Type.Null()]),
  command: Type.Union([Type.Array(Type.String()), Type.Null()]),
  comment: OptionalText,
  author: OptionalText,
  blob_digest: Type.String(),
  created_datetime: OptionalText,
});
type LayerView = Static<typeof LayerView>;

/** An image manifest. */
export const ManifestView = Type.Object({
  digest: Type.String(),
  is_manifest_list: Type.Boolean(),
  manifest_data: Type.String({ description: "The manifest as it was pushed" }),
  config_media_type: OptionalText,
  layers_compressed_size: OptionalCount,
  layers: Type.Union([Type.Array(LayerView), Type.Null()], { description: "Null for a list of manifests" }),
  tag: Type.Optional(TagView),
  pushed_ts: Type.Optional(
    Type.Integer({ description: "Only where the query asks for it: seconds, when the repository first had it" }),
  ),
  pushed_by: Type.Optional(
    Type.String({
      description: "Only where the query asks for it, and the usage log has the push: the account that pushed it first",
    }),
  ),
});
export type ManifestView = Static<typeof ManifestView>;

/** Shows an image manifest. @param history the steps in its configuration; empty if that cannot be read */
export function manifestView(manifest: ShownManifest, history: readonly HistoryEntry[]): ManifestView {
  const { digest, is_index, content, config_media_type, layers_size_bytes } = manifest;
  return {
    digest,
    is_manifest_list: is_index === 1,
    manifest_data: content,
    config_media_type,
    layers_compressed_size: is_index === 1 ? 0 : layers_size_bytes,
    layers: is_index === 1 ? null : layerViews(layersOf(content), history),
  };
}

/** The digest of a gzipped empty archive: the layer of steps that changed no file. */
const emptyLayer = "sha256:a3ed95caeb02ffe68cdd9fd84406680ae93d633cb16422d00e8a7c22955b46d4";

/** One view for each step of the history, or for each layer if the history does not match the layers. */
function layerViews(layers: readonly StoredLayer[], history: readonly HistoryEntry[]): LayerView[] {
  const filled = history.filter(({ empty_layer: isEmpty }) => !isEmpty);
  if (filled.length !== layers.length) return layers.map((layer, index) => layerView(index, layer, {}));
  const rest = layers.values();
  return history.map((step, index) => layerView(index, step.empty_layer ? undefined : rest.next().value, step));
}

function layerView(index: number, layer: StoredLayer | undefined, step: HistoryEntry): LayerView {
  const { digest = emptyLayer, size = 0, urls = [] } = layer ?? {};
  return {
    index,
    compressed_size: size,
    is_remote: urls.length > 0,
    urls: urls.length > 0 ? [...urls] : null,
    command: step.created_by ? [step.created_by] : null,
    comment: step.comment || null,
    author: step.author || null,
    blob_digest: digest,
    created_datetime: dateOf(step.created),
  };
}

function dateOf(text = ""): string | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : formatDate(at);
}
