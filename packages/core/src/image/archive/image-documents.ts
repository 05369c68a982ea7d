import { ScanError } from "../../errors.ts";
import { type Descriptor, isAttestation, parseImageIndex } from "../../model/image-manifest.ts";
import { parseJson } from "../../model/json.ts";
import type { Json } from "../../model/json-value.ts";
import { formatImageReference, parseImageReference } from "../image-reference.ts";

/** One image of a docker archive. */
export interface DockerImageEntry {
  /** The name of the configuration's member. */
  readonly config: string;
  /** `name:tag`, as docker wrote them. */
  readonly tags: readonly string[];
  /** Names of members, base first. */
  readonly layers: readonly string[];
}

/**
 * Parses the `manifest.json` of a docker archive.
 *
 *     [ { "Config": MEMBER, "RepoTags": [ "name:tag" … ] | null, "Layers": [ MEMBER … ] } … ]
 *
 * @throws ScanError `malformed_image`
 */
export function parseDockerManifest(bytes: Uint8Array, archive: string): readonly DockerImageEntry[] {
  const what = `${archive}: manifest.json`;
  const document = parseJson(bytes, what);
  if (!Array.isArray(document) || document.length === 0) throw malformed(what, "an array of images");
  return document.map((item: Json) => {
    if (typeof item !== "object" || item === null || Array.isArray(item))
      throw malformed(what, "an object for each image");
    const { Config: config, RepoTags: tags, Layers: layers } = item as Readonly<Record<string, Json>>;
    if (typeof config !== "string") throw malformed(what, "Config to be the name of a member");
    return { config, tags: stringsOf(tags, `${what}: RepoTags`), layers: stringsOf(layers, `${what}: Layers`) };
  });
}

/**
 * The images with a name: more than one when they are for several platforms. Without a name, all images, provided that
 * they have the same name.
 * @throws ScanError `not_found` or, without a name, `unsupported_source`; the message lists the names in the archive
 */
export function chooseDockerImages(
  images: readonly DockerImageEntry[],
  archive: string,
  name?: string,
): readonly DockerImageEntry[] {
  const names = new Set(images.map(({ tags, config }) => tags[0] ?? config));
  if (name === undefined) {
    if (names.size > 1) throw ambiguous(archive, [...names]);
    return images;
  }
  const fitting = images.filter(({ tags }) => tags.some((tag) => isSameTag(tag, name)));
  if (fitting.length === 0) throw notFound(archive, name, [...names]);
  return fitting;
}

/**
 * The descriptors in an OCI layout's `index.json` with a name or digest. Without a name, all of them, provided that they
 * are variants of one image.
 * @throws ScanError `not_found`; `unsupported_source` when there is no name and several images; `malformed_image`
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md#indexjson-file
 */
export function chooseLayoutRoots(bytes: Uint8Array, layout: string, name?: string): readonly Descriptor[] {
  const { manifests } = parseImageIndex(bytes, `${layout}: index.json`);
  const images = manifests.filter((descriptor) => !isAttestation(descriptor));
  const names = new Set(images.flatMap((descriptor) => namesOf(descriptor).slice(0, 1)));
  if (name !== undefined) {
    const fitting = images.filter((one) => one.digest === name || namesOf(one).some((known) => isSameTag(known, name)));
    if (fitting.length === 0) throw notFound(layout, name, [...names]);
    return fitting;
  }
  const unnamed = images.some((descriptor) => namesOf(descriptor).length === 0);
  const digests = new Set(images.map(({ digest }) => digest));
  if (digests.size > 1 && names.size + (unnamed ? 1 : 0) > 1) throw ambiguous(layout, [...names]);
  return images;
}

/** The names that a layout gives an image; the first is shown. */
export function namesOf({ annotations }: Descriptor): readonly string[] {
  const names = ["org.opencontainers.image.ref.name", "io.containerd.image.name"].map((key) => annotations[key]);
  return names.filter((name) => name !== undefined && name !== "") as string[];
}

function isSameTag(known: string, wanted: string): boolean {
  return known === wanted || normalizeTag(known) === normalizeTag(wanted);
}

function normalizeTag(text: string): string {
  try {
    return formatImageReference(parseImageReference(text));
  } catch {
    return text; // a layout may use any text as a name
  }
}

function stringsOf(value: Json | undefined, what: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw malformed(what, "an array of strings");
  return value.map((item: Json) => {
    if (typeof item !== "string") throw malformed(what, "an array of strings");
    return item;
  });
}

function malformed(what: string, expected: string): ScanError {
  return new ScanError("malformed_image", `${what}: expected ${expected}`);
}

function notFound(place: string, name: string, names: readonly string[]): ScanError {
  const found = names.length === 0 ? "images without names" : listNames(names);
  return new ScanError("not_found", `${place} holds no image ${JSON.stringify(name)}, but ${found}`);
}

function ambiguous(place: string, names: readonly string[]): ScanError {
  return new ScanError("unsupported_source", `${place} holds several images, name one of them: ${listNames(names)}`);
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}
