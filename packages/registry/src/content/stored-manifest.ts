import { isDigest } from "@plimsoll/core/digest";
import { notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isObject } from "../values/misread-members.ts";
import { findStoredManifest, findTaggedManifest, type ImageManifestRow } from "./queries/manifest-content.ts";

/** A layer in a stored manifest. */
export interface StoredLayer {
  readonly digest: string;
  readonly size: number;
  /** Where clients fetch it, if not from the registry. */
  readonly urls: readonly string[];
}

/** An entry of a stored index. */
interface StoredEntry {
  readonly mediaType: string;
  readonly digest: string;
  /** Members that are no texts are left out. */
  readonly platform: Readonly<Partial<Record<"os" | "architecture" | "variant", string>>>;
}

/**
 * The layers in the content of a manifest. Its push has checked what a push needs: any other member may have any value, and `null` stands
 * for an absent one.
 */
export function layersOf(content: string): readonly StoredLayer[] {
  const { layers } = JSON.parse(content) as { readonly layers?: readonly Record<keyof StoredLayer, unknown>[] | null };
  return (layers ?? []).map(({ digest, size, urls }) => ({
    ...{ digest: String(digest), size: Number(size) },
    urls: Array.isArray(urls) ? urls.filter((url): url is string => typeof url === "string") : [],
  }));
}

/** The entries in the content of an index; see {@link layersOf}. */
export function entriesOf(content: string): readonly StoredEntry[] {
  const { manifests } = JSON.parse(content) as {
    readonly manifests?: readonly Record<keyof StoredEntry, unknown>[] | null;
  };
  return (manifests ?? []).map(({ mediaType, digest, platform }) => ({
    ...{ mediaType: String(mediaType), digest: String(digest) },
    platform: isObject(platform) ? textsOf(platform, ["os", "architecture", "variant"]) : {},
  }));
}

function textsOf<Name extends string>(value: Readonly<Record<string, unknown>>, names: readonly Name[]) {
  const texts = names.flatMap((name) => (typeof value[name] === "string" ? [[name, value[name]]] : []));
  return Object.fromEntries(texts) as Readonly<Partial<Record<Name, string>>>;
}

/** Longer parts of a platform's name, and others, are not names that a client sent in earnest. */
const platformPart = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The platform of an image or of an entry of an index, such as `linux/arm64/v8`; undefined where the operating system or the architecture
 * is not said, as for attestations (`unknown/unknown`).
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/config.md#properties
 */
export function platformName(
  given: Readonly<Partial<Record<"os" | "architecture" | "variant", unknown>>>,
): string | undefined {
  const { os, architecture, variant } = textsOf(given, ["os", "architecture", "variant"]);
  const parts = [os, architecture, variant].filter((part) => part !== undefined && platformPart.test(part));
  if (os === undefined || architecture === undefined || os === "unknown" || parts.length < 2) return undefined;
  return parts.join("/");
}

/** An image of a repository, as a client names it. */
interface ManifestReference {
  readonly repositoryId: string;
  /** The digest of the manifest, or a tag. */
  readonly reference: string;
  readonly now: number;
}

/**
 * The manifest that a digest or a living tag names. By its digest, a manifest is found even if it was deleted and is not collected yet.
 * @throws RegistryError `not_found`
 */
export async function getReferencedManifest(
  db: RegistryDb,
  { repositoryId, reference, now }: ManifestReference,
): Promise<ImageManifestRow> {
  const manifest = isDigest(reference)
    ? await findStoredManifest(db, { repositoryId, digest: reference })
    : await findTaggedManifest(db, { repositoryId, name: reference, now });
  if (manifest === undefined) throw noManifest(reference);
  return manifest;
}

/** The error for a reference that names no manifest of the repository. @param reference a digest or a tag */
export function noManifest(reference: string) {
  const kind = isDigest(reference) ? "manifest" : "tag";
  return notFound(`The repository has no ${kind} ${JSON.stringify(reference)}: list its tags to see what it has`);
}
