import type { HistoryEntry, ShownManifest } from "@plimsoll/registry/content/image-config";
import type { StoredCounts } from "@plimsoll/registry/content/queries/finding-counts";
import type { ListedTag } from "@plimsoll/registry/content/queries/listed-tags";
import { entriesOf, layersOf, platformName, type StoredLayer } from "@plimsoll/registry/content/stored-manifest";
import { formatDate } from "@plimsoll/registry/values/dates";
import { manifestTypes } from "@plimsoll/registry/values/manifest-types";
import { type Static, Type } from "typebox";

const count = (description?: string) => Type.Integer({ minimum: 0, description: description || undefined });

const severityCounts = {
  critical: count(),
  high: count(),
  medium: count(),
  low: count(),
  negligible: count(),
  unknown: count(),
  fixable: count("Vulnerabilities with a fix"),
  known_exploited: count("Vulnerabilities that are known to be exploited"),
};

/** The counts of vulnerabilities by severity. */
export const SeverityCounts = Type.Object(severityCounts);
export type SeverityCounts = Static<typeof SeverityCounts>;

/** The counts of an image's vulnerabilities, and how reliable they are. */
export const ImageSeverities = Type.Object({
  ...severityCounts,
  partial: Type.Boolean({ description: "Whether the scan was incomplete, so that there may be more" }),
  feeds: Type.Enum(["current", "outdated", "missing", "unknown"], {
    description: "Whether the feeds that it was matched with were up to date",
  }),
  counted: Type.String({ description: "When the vulnerabilities were last counted" }),
});
export type ImageSeverities = Static<typeof ImageSeverities>;

/** Shows the counts of an image; null if they are unknown. */
export function imageSeverities(counts: StoredCounts | undefined): ImageSeverities | null {
  if (counts === undefined || counts.counted_at === null) return null;
  return {
    ...severityCountsView(counts),
    partial: counts.is_partial !== 0,
    feeds: counts.data_state ?? "unknown",
    counted: formatDate(counts.counted_at),
  };
}

/** Counts that are all 0. */
export const noSeverities: SeverityCounts = {
  ...{ critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0 },
  ...{ fixable: 0, known_exploited: 0 },
};

/** Shows counts; unknown ones as 0. */
export function severityCountsView(counts: StoredCounts): SeverityCounts {
  return {
    critical: counts.critical ?? 0,
    high: counts.high ?? 0,
    medium: counts.medium ?? 0,
    low: counts.low ?? 0,
    negligible: counts.negligible ?? 0,
    unknown: counts.unknown ?? 0,
    fixable: counts.fixable ?? 0,
    known_exploited: counts.exploited ?? 0,
  };
}

/** Who began or ended a lifetime of a tag. */
const TagActor = Type.Object(
  {
    kind: Type.String({ description: "That of the entry in the usage log, such as delete_tag" }),
    name: Type.String({ description: "Empty: no account, such as a job of the registry or a repository token" }),
  },
  { description: "Only where the query asks for it, and the usage log has the change" },
);

/** One lifetime of a tag. */
export const TagView = Type.Object({
  name: Type.String(),
  reversion: Type.Boolean({ description: "Whether the tag was put back to an earlier manifest" }),
  immutable: Type.Boolean({ description: "Whether nothing may change it" }),
  start_ts: Type.Integer({ description: "Seconds" }),
  end_ts: Type.Optional(Type.Integer({ description: "Seconds; in the future: when it expires" })),
  manifest_digest: Type.String(),
  is_manifest_list: Type.Boolean(),
  size: Type.Union([Type.Integer(), Type.Null()], { description: "Bytes of the layers; null for a list of manifests" }),
  last_modified: Type.String(),
  expiration: Type.Optional(Type.String()),
  is_sparse: Type.Optional(
    Type.Boolean({
      description:
        "Whether manifests of the list are missing here; like the next three, absent for a list of more than 64 KiB",
    }),
  ),
  child_manifest_count: Type.Optional(Type.Integer()),
  present_child_count: Type.Optional(Type.Integer()),
  child_manifests_presence: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
  platforms: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Such as linux/arm64/v8: of the image, or of the images of the list, which is absent for a list of more than 64 KiB; an image whose configuration names none has none",
    }),
  ),
  pushed_by: Type.Optional(
    Type.String({
      description:
        "Only where the query asks for it, and the usage log has the push: the account that pushed the tag when this lifetime began",
    }),
  ),
  started_by: Type.Optional(TagActor),
  ended_by: Type.Optional(TagActor),
  severities: Type.Optional(
    Type.Union([ImageSeverities, Type.Null()], {
      description:
        "Only where the query asks for it; of a list of manifests, those of its worst image; null: not counted",
    }),
  ),
});
export type TagView = Static<typeof TagView>;

/** Shows a lifetime of a tag. */
export function tagView(tag: ListedTag): TagView {
  const { name, start_at, end_at, reversion, immutable_by, digest, is_index, layers_size_bytes, platform } = tag;
  return {
    name,
    reversion: reversion === 1,
    immutable: immutable_by !== null,
    start_ts: Math.floor(start_at / 1000),
    end_ts: end_at !== null ? Math.floor(end_at / 1000) : undefined,
    manifest_digest: digest,
    is_manifest_list: is_index === 1,
    size: layers_size_bytes,
    last_modified: formatDate(start_at),
    expiration: end_at !== null ? formatDate(end_at) : undefined,
    platforms: is_index === 0 && platform !== null ? [platform] : undefined,
    ...(tag.content !== null && childMembers(tag.content, tag.present ?? "")),
  };
}

function childMembers(content: string, presentDigests: string) {
  const present = new Set(presentDigests.split(" "));
  const children = entriesOf(content).filter(({ mediaType }) => manifestTypes.has(mediaType)); // others are blobs
  const presence = children.map(({ digest }) => [digest, present.has(digest)] as const);
  const presentCount = presence.filter(([, isPresent]) => isPresent).length;
  return {
    is_sparse: presentCount < presence.length,
    child_manifest_count: presence.length,
    present_child_count: presentCount,
    child_manifests_presence: Object.fromEntries(presence),
    platforms: [...new Set(children.flatMap(({ platform }) => platformName(platform) ?? []))],
  };
}

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
  platforms: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Such as linux/arm64/v8: of the image, or of the images of the list, which is absent for a list of more than 64 KiB; an image whose configuration names none has none",
    }),
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
