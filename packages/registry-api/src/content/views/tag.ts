import type { ListedTag } from "@plimsoll/registry/content/queries/listed-tags";
import { entriesOf } from "@plimsoll/registry/content/stored-manifest";
import { formatDate } from "@plimsoll/registry/values/dates";
import { manifestTypes } from "@plimsoll/registry/values/manifest-types";
import { type Static, Type } from "typebox";
import { ImageSeverities } from "./severities.ts";

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
  pushed_by: Type.Optional(
    Type.String({
      description:
        "Only where the query asks for it, and the usage log has the push: the account that pushed the tag when this lifetime began",
    }),
  ),
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
  const { name, start_at, end_at, reversion, immutable_by, digest, is_index, layers_size_bytes } = tag;
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
  };
}
