import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import { problemOfJson, usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import { readImageConfig } from "../content/image-config.ts";
import { platformName } from "../content/stored-manifest.ts";
import { ContentError } from "../content-error.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { isImageConfig } from "../security/manifest-kind.ts";
import { manifestTypes } from "../values/manifest-types.ts";
import { isObject, misreadMember } from "../values/misread-members.ts";

/** A descriptor in a manifest. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
}

/** The parsed parts of an image manifest or an image index. */
export interface ParsedManifest {
  readonly mediaType: string;
  readonly isIndex: boolean;
  readonly artifactType?: string;
  /** Absent for an index. */
  readonly config?: Descriptor;
  /** Base first, without foreign layers. Of an index: its entries that are no manifests, as in caches of older builders. */
  readonly layers: readonly Descriptor[];
  /** Layers that the registry need not have. */
  readonly foreignLayers: readonly Descriptor[];
  /** The manifests of an index. */
  readonly children: readonly Descriptor[];
  readonly subject?: Digest;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Parses a manifest.
 * @param pushedAs the media type that the client states, which may have parameters; where absent, `mediaType` of the manifest counts
 * @param maxParts the most layers, or manifests of an index
 * @throws ContentError `manifest_invalid`; `manifest_unsupported` for a media type that is not accepted
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/manifest.md
 */
export function parseManifest(content: string, pushedAs: string | undefined, maxParts: number): ParsedManifest {
  const members = parseObject(content);
  const mediaType = pushedAs?.split(";")[0]?.trim() ?? String(members.mediaType ?? "");
  const type = manifestTypes.get(mediaType);
  if (type === undefined) {
    const message = `manifests of the type ${mediaType.slice(0, 200) || "(none)"} are not supported`;
    throw new ContentError("manifest_unsupported", message);
  }
  if (members.schemaVersion !== 2) throw invalid("schemaVersion: expected 2");
  if (members.mediaType !== undefined && members.mediaType !== mediaType) {
    throw invalid(`mediaType: expected ${mediaType}, the type that it is pushed as`);
  }
  const misread = misreadMember(members);
  if (misread !== undefined)
    throw invalid(
      `${misread}: some clients would read this member in place of another one; write its name in the usual case`,
    );
  const parts = descriptors(members, type.isIndex ? "manifests" : "layers", maxParts);
  const children = type.isIndex ? parts.filter((each) => manifestTypes.has(each.mediaType)) : [];
  const layers = type.isIndex ? parts.filter((each) => !manifestTypes.has(each.mediaType)) : parts;
  return {
    mediaType,
    isIndex: type.isIndex,
    ...optionalText(members, "artifactType"),
    config: !type.isIndex ? descriptor(members.config, "config") : undefined,
    layers: layers.filter(({ mediaType: each }) => !isForeign(each)),
    foreignLayers: layers.filter(({ mediaType: each }) => isForeign(each)),
    children,
    subject: isPresent(members.subject) ? descriptor(members.subject, "subject").digest : undefined,
    annotations: labelTexts(members.annotations),
  };
}

/** Whether clients fetch layers of a media type from the URLs in the manifest. */
function isForeign(mediaType: string): boolean {
  return mediaType.includes(".foreign.") || mediaType.includes(".nondistributable.");
}

/** The most labels and annotations of an image, since each becomes a row. No image needs so many. */
const maxLabels = 1000;

/** As {@link texts}, for labels or annotations. @throws ContentError `manifest_invalid` if they are too many */
function labelTexts(value: unknown): Readonly<Record<string, string>> {
  const count = isObject(value) ? Object.keys(value).length : 0;
  if (count > maxLabels) throw invalid(`expected at most ${maxLabels} labels and annotations, found ${count}`);
  return texts(value);
}

/** The members of an object whose names and values are texts that a database can store; other members are left out. */
export function texts(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => isText(entry[0]) && isText(entry[1])),
  );
}

/** PostgreSQL stores no U+0000. */
function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function parseObject(content: string): Readonly<Record<string, unknown>> {
  const problem = problemOfJson(content, usualJsonLimits);
  if (problem !== undefined) throw invalid(`the manifest ${problem}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch (cause) {
    throw new ContentError("manifest_invalid", "the manifest is not JSON", { cause });
  }
  if (!isObject(parsed)) throw invalid("the manifest is not a JSON object");
  return parsed;
}

function descriptors(
  members: Readonly<Record<string, unknown>>,
  name: "layers" | "manifests",
  maxParts: number,
): readonly Descriptor[] {
  const list = members[name] === null ? [] : members[name];
  if (!Array.isArray(list)) throw invalid(`${name}: expected a list`);
  if (list.length > maxParts) throw invalid(`${name}: expected at most ${maxParts}, found ${list.length}`);
  return list.map((each: unknown, index) => descriptor(each, `${name}[${index}]`));
}

function descriptor(value: unknown, path: string): Descriptor {
  if (!isObject(value)) throw invalid(`${path}: expected a descriptor`);
  const { mediaType, digest, size } = value;
  if (!isText(mediaType) || mediaType === "") throw invalid(`${path}.mediaType: expected a media type`);
  if (typeof digest !== "string" || !isDigest(digest))
    throw invalid(`${path}.digest: expected a sha256 or sha512 digest`);
  if (!Number.isSafeInteger(size) || Number(size) < 0) throw invalid(`${path}.size: expected a number of bytes`);
  return { mediaType, digest: parseDigest(digest), size: Number(size) };
}

function optionalText(members: Readonly<Record<string, unknown>>, name: "artifactType") {
  const value = members[name];
  if (!isPresent(value) || value === "") return {};
  if (!isText(value)) throw invalid(`${name}: expected a string`);
  return { [name]: value };
}

/** Some clients write `null` for an absent member, also for an empty list. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function invalid(message: string): ContentError {
  return new ContentError("manifest_invalid", message);
}

/** What is stored of an image besides its manifest. */
export interface ImageFacts {
  /** Those of its configuration, overridden by the manifest's annotations. */
  readonly labels: Readonly<Record<string, string>>;
  /** By its configuration, such as `linux/arm64/v8`; undefined where that does not say it. */
  readonly platform: string | undefined;
}

/**
 * The labels and the platform of a pushed image. An artifact or an index has only its annotations. A configuration that is missing or
 * malformed says nothing.
 * @throws ContentError `manifest_invalid`
 */
export async function readImageFacts(blobs: BlobStore, manifest: ParsedManifest): Promise<ImageFacts> {
  const { config, annotations } = manifest;
  const hasConfig = config !== undefined && isImageConfig(config.mediaType);
  const read = hasConfig ? await readImageConfig(blobs, config.digest) : undefined;
  const image = isObject(read) ? read : {};
  const given = isObject(image.config) ? labelTexts(image.config.Labels) : {};
  const { "": _, ...labels } = { ...given, ...annotations }; // a label without a key could not be requested
  const count = Object.keys(labels).length;
  if (count <= maxLabels) return { labels, platform: platformName(image) };
  throw new ContentError("manifest_invalid", `expected at most ${maxLabels} labels and annotations, found ${count}`);
}
