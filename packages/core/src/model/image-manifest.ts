/**
 * Parsers of the documents of an image: index, manifest, configuration. They are strict about the members that the engine uses
 * (digests, sizes, layers) and tolerant about the others.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/spec.md
 * @see https://distribution.github.io/distribution/spec/manifest-v2-2/
 */
import { ScanError } from "../errors.ts";
import type { Digest } from "./digest.ts";
import { parseJson } from "./json.ts";
import { isObject, memberOf } from "./json-object.ts";
import {
  digestAt,
  documentPlace,
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  placeError,
  sizeAt,
  stringAt,
} from "./json-place.ts";
import type { Json } from "./json-value.ts";
import { findMediaTypeKind, type MediaTypeKind } from "./media-types.ts";
import { normalizePlatform, type Platform } from "./platform.ts";

/** The maximal number of bytes of a document; registries need not accept larger manifests. */
export const maxDocumentBytes = 4 * 1024 ** 2;

/** A reference from one document to another document or blob. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** In an index: the platform of the image. */
  readonly platform?: Platform;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A list of image manifests (or further indexes), one for each platform. */
export interface ImageIndex {
  readonly mediaType?: string;
  readonly manifests: readonly Descriptor[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** One image: its configuration and its layers, base first. */
export interface ImageManifest {
  readonly mediaType?: string;
  /** The type of an artifact that is not an image. */
  readonly artifactType?: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** The part of an image configuration that the engine uses. */
export interface ImageConfig {
  readonly platform: Platform;
  /** Of the layers, base first. */
  readonly diffIds: readonly Digest[];
  /** The build steps of the image. */
  readonly history: readonly {
    /** The command, as the builder wrote it. */
    readonly createdBy?: string;
    readonly createdAt?: number;
    /** Whether the step made no layer. */
    readonly emptyLayer: boolean;
  }[];
  readonly createdAt?: number;
  /** What its maker says about it, by the names of labels; absent without any. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What a container of the image starts; absent if the image does not say. */
  readonly start?: ImageStart;
}

/** What a container of an image starts. */
export interface ImageStart {
  /** The words of the entrypoint, then those of the command. */
  readonly command: readonly string[];
  /** The working folder. Default: the root. */
  readonly folder?: string;
  /** Where programs are searched, as in the variable `PATH`. */
  readonly searchPath?: string;
  /** Whether a variable has interpreters load more, such as `NODE_OPTIONS`, or a health check starts another program. */
  readonly startsMore?: true;
}

/** One build step of the image. */
export type HistoryEntry = ImageConfig["history"][number];

/**
 * Parses an image index or Docker manifest list.
 * @param what names the document in messages
 * @throws ScanError `malformed_image`, `malformed_digest`, `unsupported_digest`, `unsupported_media_type`
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { manifests } = parseImageIndex(await readFile("index.json"), "index.json");
 */
export function parseImageIndex(bytes: Uint8Array, what: string): ImageIndex {
  const place = parseDocument(bytes, what);
  const mediaType = checkMediaType(place, "image-index");
  return {
    mediaType,
    manifests: listAt(place, "manifests").map(parseDescriptor),
    annotations: parseAnnotations(place),
  };
}

/**
 * Parses an OCI image manifest or a Docker manifest of schema 2.
 * @param what names the document in messages
 * @throws ScanError `malformed_image`, `malformed_digest`, `unsupported_digest`; `unsupported_media_type` for Docker
 * schema 1
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { config, layers } = parseImageManifest(await readFile("manifest.json"), "manifest.json");
 */
export function parseImageManifest(bytes: Uint8Array, what: string): ImageManifest {
  const place = parseDocument(bytes, what);
  const mediaType = checkMediaType(place, "image-manifest");
  const artifactType = optionalStringAt(memberAt(place, "artifactType"));
  return {
    mediaType,
    artifactType,
    config: parseDescriptor(memberAt(place, "config")),
    layers: listAt(place, "layers").map(parseDescriptor),
    annotations: parseAnnotations(place),
  };
}

/**
 * Parses an image configuration.
 * @param what names the document in messages
 * @throws ScanError `malformed_image`, `malformed_digest`, `unsupported_digest`
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { platform, diffIds } = parseImageConfig(await readFile("config.json"), "config.json");
 */
export function parseImageConfig(bytes: Uint8Array, what: string): ImageConfig {
  const place = parseDocument(bytes, what);
  return {
    platform: parsePlatformMembers(place),
    diffIds: listAt(memberAt(place, "rootfs"), "diff_ids").map(digestAt),
    history: optionalItemsAt(memberAt(place, "history")).map(parseHistoryEntry),
    ...createdAt(place),
    labels: labelsIn(memberOf(memberOf(place.value, "config"), "Labels")),
    start: startIn(place.value),
  };
}

/** Variables that have interpreters, shells and the loader of programs load more than the command says. */
const loadingVariables =
  /^(?:NODE_(?:OPTIONS|PATH)|(?:JAVA_TOOL|JDK_JAVA|_JAVA)_OPTIONS|CLASSPATH|PYTHON(?:PATH|STARTUP)|RUBY(?:OPT|LIB)|PERL5(?:LIB|OPT|DB)|PHP_INI_SCAN_DIR|DJANGO_SETTINGS_MODULE|LOADER_(?:ARGS|HOME|MAIN|PATH)|LD_PRELOAD|BASH_ENV|ENV)=/;

/** What a configuration starts; undefined if it does not say. Words mean nothing to indexing: what is malformed is left out. */
export function startIn(document: Json | undefined): ImageStart | undefined {
  const config = memberOf(document, "config");
  const texts = (name: string) => {
    const list = memberOf(config, name);
    return Array.isArray(list) ? (list as readonly Json[]).filter((word) => typeof word === "string") : [];
  };
  const command = [...texts("Entrypoint"), ...texts("Cmd")];
  if (command.length === 0) return undefined;
  const folder = memberOf(config, "WorkingDir");
  const env = texts("Env");
  const searchPath = env.find((each) => each.startsWith("PATH="));
  const check = memberOf(memberOf(config, "Healthcheck"), "Test");
  const hasCheck = Array.isArray(check) && check.length > 0 && check[0] !== "NONE";
  return {
    command,
    folder: typeof folder === "string" && folder !== "" ? folder : undefined,
    searchPath: searchPath?.slice("PATH=".length),
    startsMore: hasCheck || env.some((each) => loadingVariables.test(each)) ? true : undefined,
  };
}

/** Labels mean nothing to the engine: one that is not a text is left out. */
function labelsIn(labels: Json | undefined): Readonly<Record<string, string>> | undefined {
  if (!isObject(labels)) return undefined;
  const texts = Object.entries(labels).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

/** A layer with the digest of its uncompressed bytes. */
export interface ImageLayerDescriptor extends Descriptor {
  readonly diffId: Digest;
}

/**
 * The layers of a manifest with their diff ids, base first.
 * @param what names the image in messages
 * @throws ScanError `malformed_image` when the configuration does not list as many diff ids as the manifest lists layers
 * @example
 * declare const manifest: ImageManifest;
 * declare const config: ImageConfig;
 * for (const { digest, diffId } of pairLayers(manifest, config, "app:1")) console.log(digest, diffId);
 */
export function pairLayers(
  manifest: ImageManifest,
  config: ImageConfig,
  what: string,
): readonly ImageLayerDescriptor[] {
  const [layers, diffIds] = [manifest.layers.length, config.diffIds.length];
  const mismatch = `${what}: the manifest lists ${layers} layers, the configuration ${diffIds} diff ids`;
  if (layers !== diffIds) throw new ScanError("malformed_image", mismatch);
  return manifest.layers.flatMap((layer, index) => {
    const diffId = config.diffIds[index];
    return diffId === undefined ? [] : [{ ...layer, diffId }];
  });
}

/**
 * Whether a descriptor in an index is a statement about an image instead of an image, such as BuildKit's provenance and SBOMs.
 * @see https://github.com/moby/buildkit/blob/v0.20.0/docs/attestations/attestation-storage.md
 */
export function isAttestation({ platform, annotations }: Descriptor): boolean {
  if (annotations["vnd.docker.reference.type"] !== undefined) return true;
  return platform?.os === "unknown" && platform.architecture === "unknown";
}

function parseDocument(bytes: Uint8Array, what: string): JsonPlace {
  if (bytes.length > maxDocumentBytes) {
    const message = `${what}: expected at most ${maxDocumentBytes} bytes, found ${bytes.length}`;
    throw new ScanError("malformed_image", message);
  }
  return documentPlace(parseJson(bytes, what), what, "malformed_image");
}

/** The document's own media type, which may be missing. */
function checkMediaType(place: JsonPlace, expected: MediaTypeKind): string | undefined {
  const schemaVersion = memberAt(place, "schemaVersion");
  const mediaType = memberAt(place, "mediaType");
  const text = optionalStringAt(mediaType);
  const kind = text === undefined ? undefined : findMediaTypeKind(text);
  if (kind === "schema-1-manifest" || schemaVersion.value === 1) throw schema1(place);
  if (!isAbsent(schemaVersion) && schemaVersion.value !== 2) throw placeError(schemaVersion, "expected 2");
  if (text !== undefined && kind !== expected) {
    throw placeError(
      mediaType,
      `expected an ${expected.replace("-", " ")}, found ${JSON.stringify(text.slice(0, 100))}`,
    );
  }
  return text;
}

function schema1(place: JsonPlace): ScanError {
  return placeError(
    { ...place, code: "unsupported_media_type" },
    "Docker manifests of schema 1 are not supported, because they do not describe their layers; push the image again with a current client",
  );
}

/** The items of a list that has to be there. Programs in Go write `null` for an empty one. */
function listAt(place: JsonPlace, name: string): readonly JsonPlace[] {
  const list = memberAt(place, name);
  return list.value === null ? [] : itemsAt(list);
}

function parseDescriptor(place: JsonPlace): Descriptor {
  const platform = memberAt(place, "platform");
  return {
    mediaType: stringAt(memberAt(place, "mediaType")),
    digest: digestAt(memberAt(place, "digest")),
    sizeBytes: sizeAt(memberAt(place, "size")),
    platform: !isAbsent(platform) ? parsePlatformMembers(platform) : undefined,
    annotations: parseAnnotations(place),
  };
}

function parsePlatformMembers(place: JsonPlace): Platform {
  const variant = optionalStringAt(memberAt(place, "variant"));
  const osVersion = optionalStringAt(memberAt(place, "os.version"));
  return normalizePlatform({
    os: optionalStringAt(memberAt(place, "os")) ?? "linux",
    architecture: optionalStringAt(memberAt(place, "architecture")) ?? "unknown",
    variant,
    osVersion,
  });
}

function parseAnnotations(place: JsonPlace): Readonly<Record<string, string>> {
  const members = membersAt(memberAt(place, "annotations"));
  return Object.fromEntries(members.map(([name, value]) => [name, stringAt(value)]));
}

function parseHistoryEntry(place: JsonPlace): HistoryEntry {
  const createdBy = optionalStringAt(memberAt(place, "created_by"));
  return {
    createdBy,
    ...createdAt(place),
    emptyLayer: memberAt(place, "empty_layer").value === true,
  };
}

/** Builders write many forms of dates; one that cannot be parsed is left out. */
function createdAt(place: JsonPlace): { readonly createdAt?: number } {
  const { value } = memberAt(place, "created");
  const instant = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? {} : { createdAt: instant };
}
