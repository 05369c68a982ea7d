import { type Bytes, ScanError } from "@plimsoll/core";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import type { ImageReference } from "@plimsoll/core/image";
import { digestDocument, findMediaTypeKind, mediaTypes, parseJson, verifyDocument } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { discardBody, type OutboundResponse } from "@plimsoll/outbound";
import type { Endpoint, EndpointRequest } from "./endpoint.ts";
import { fetchBlob } from "./fetch-blob.ts";
import type { FetchedDocument } from "./fetch-document.ts";
import { connectRegistry, type RegistryOptions } from "./from-registry.ts";
import { listOf, pagesOf } from "./read-pages.ts";
import { StatusError, toScanError } from "./refusal.ts";

/** A manifest of a registry. Its digest is checked. */
export interface RemoteManifest {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A manifest that refers to another, as a list of referrers describes it. */
export interface RemoteReferrer {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly artifactType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A repository of a registry, for copying. Every failure is a ScanError; temporary ones are retried. Disposing closes its connections. */
export interface RemoteRepository extends AsyncDisposable {
  /** All tags. @throws ScanError `not_found` if the repository does not exist */
  listTags(signal?: AbortSignal): Promise<readonly string[]>;
  /**
   * The digest of a tag, found without fetching the manifest if the registry answers `HEAD` and states it; undefined if the tag does not
   * exist.
   */
  findDigest(tag: string, signal?: AbortSignal): Promise<Digest | undefined>;
  /** Fetches a manifest by tag or digest. @throws ScanError `digest_mismatch`, `not_found` */
  fetchManifest(reference: string, signal?: AbortSignal): Promise<RemoteManifest>;
  /** The size of a blob in bytes, as the registry states it; undefined if the registry does not have it. */
  findBlobSize(digest: Digest, signal?: AbortSignal): Promise<number | undefined>;
  /** Streams the bytes of a blob; only their number is checked. @throws ScanError `size_mismatch`, `not_found` */
  openBlob(blob: { readonly digest: Digest; readonly sizeBytes: number }, signal?: AbortSignal): Bytes;
  /** The manifests that refer to a digest; undefined if the registry does not list referrers. */
  findReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly RemoteReferrer[] | undefined>;
  /** The digests of manifests that refer to a digest; empty if the registry does not list referrers. */
  listReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly Digest[]>;
}

const accept = [...mediaTypes].flatMap(([type, kind]) =>
  kind === "image-index" || kind === "image-manifest" ? [type] : [],
);

/**
 * Opens a repository of a registry. Nothing is sent before the first request.
 * @throws ScanError `not_permitted` if `offline` is set
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pull
 * @example
 * await using repository = await openRemoteRepository(parseImageReference("registry.example.com/team/app"));
 * const tags = await repository.listTags();
 */
export async function openRemoteRepository(
  reference: Pick<ImageReference, "registry" | "repository">,
  options: RegistryOptions = {},
): Promise<RemoteRepository> {
  const { registry, repository } = reference;
  const { client, endpoints, retry, timeouts } = await connectRegistry({ registry, repository }, options);
  const common = (signal: AbortSignal | undefined) => ({ endpoints, retry, signal });
  const { read, readPages } = pagesOf({ endpoints, retry, timeouts }, repository);
  const fetchManifest = async (reference: string, signal?: AbortSignal): Promise<RemoteManifest> => {
    const fetched = await read(`manifests/${reference}`, { accept: accept.join(", ") }, signal);
    const stated = isDigest(reference) ? parseDigest(reference) : statedDigest(fetched.headers);
    const digest = stated ?? digestDocument(fetched.bytes);
    verifyDocument(fetched.bytes, { digest }, `manifest ${repository}:${reference}`);
    return { digest, bytes: fetched.bytes, mediaType: mediaTypeOf(fetched) };
  };
  const [endpoint] = endpoints.slice(-1);
  if (endpoint === undefined) throw new TypeError("expected an endpoint of the registry, found none");
  const [heads, blobHeads] = [new HeadRequests(endpoint), new HeadRequests(endpoint)];
  let hasReferrers = true;
  const findReferrers = async (digest: Digest, signal?: AbortSignal) => {
    if (!hasReferrers) return undefined;
    try {
      const pages = await readPages(`referrers/${digest}`, signal);
      return pages
        .flatMap((page) => listOf(page, "manifests", `${repository}/referrers/${digest}`))
        .flatMap(referrerOf);
    } catch (error) {
      if (!isWithoutReferrers(error)) throw error;
      hasReferrers = false; // an older registry: it lists referrers of no digest
      return undefined;
    }
  };
  return {
    async listTags(signal) {
      const pages = await readPages("tags/list?n=1000", signal);
      const tags = pages.flatMap((page) => listOf(page, "tags", `${repository}/tags/list`));
      return [...new Set(tags.filter((tag) => typeof tag === "string"))];
    },
    async findDigest(tag, signal) {
      const get = () => unlessMissing(fetchManifest(tag, signal).then(({ digest }) => digest));
      const lookup = { path: `manifests/${tag}`, headers: { accept: accept.join(", ") }, read: statedDigest, get };
      return heads.find({ ...lookup, signal }).catch((error: unknown) => {
        throw toScanError(error, endpoint.host, `manifest ${repository}:${tag}`);
      });
    },
    fetchManifest,
    async findBlobSize(digest, signal) {
      const [path, signalled] = [`blobs/${digest}`, { signal }];
      const what = `blob ${digest}`;
      const get = async () => {
        const response = await endpoint.get(path, { headers: { range: "bytes=0-0" }, ...signalled });
        await discardBody(response);
        const found = sizeIn(response.headers);
        if (found !== undefined) return found;
        throw new ScanError("size_mismatch", `${endpoint.host}: expected the size of the ${what}, found none`);
      };
      try {
        return await blobHeads.find({ path, read: sizeIn, get, ...signalled });
      } catch (error) {
        if (error instanceof StatusError && error.status === 404) return undefined;
        throw toScanError(error, endpoint.host, what);
      }
    },
    openBlob: (blob, signal) => fetchBlob({ ...common(signal), ...blob, timeoutMs: timeouts.layerMs }),
    findReferrers,
    listReferrers: async (digest, signal) => ((await findReferrers(digest, signal)) ?? []).map(({ digest }) => digest),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** The digest that a registry states; some do not. */
function statedDigest(headers: FetchedDocument["headers"]): Digest | undefined {
  const stated = headers["docker-content-digest"];
  return typeof stated === "string" && isDigest(stated) ? parseDigest(stated) : undefined;
}

/** The size of a blob in the headers of a response, which may be its first byte only. */
function sizeIn(headers: FetchedDocument["headers"]): number | undefined {
  const { "content-range": range = "", "content-length": length = "" } = headers;
  const stated = range === "" ? length : /\/(\d+)$/.exec(range)?.[1];
  return stated !== undefined && /^\d{1,15}$/.test(stated) ? Number(stated) : undefined;
}

/** The referrer that a descriptor describes; none if it has no valid digest. */
function referrerOf(descriptor: Json): readonly RemoteReferrer[] {
  const { digest, mediaType, size, artifactType, annotations } = Object.fromEntries(Object.entries(descriptor ?? {}));
  if (typeof digest !== "string" || !isDigest(digest)) return [];
  const texts = Object.entries(annotations ?? {}).filter(([, value]) => typeof value === "string");
  return [
    {
      digest: parseDigest(digest),
      mediaType: typeof mediaType === "string" ? mediaType : "",
      sizeBytes: typeof size === "number" ? size : 0,
      artifactType: typeof artifactType === "string" ? artifactType : undefined,
      annotations: texts.length > 0 ? (Object.fromEntries(texts) as Record<string, string>) : undefined,
    },
  ];
}

/** Whether an error says that the registry does not list referrers. Some answer 400, 405 or 501 to paths that they do not know. */
function isWithoutReferrers(error: unknown): boolean {
  if (!(error instanceof ScanError)) return false;
  const { cause } = error;
  return error.code === "not_found" || (cause instanceof StatusError && [400, 405, 501].includes(cause.status));
}

async function unlessMissing<Found>(finding: Promise<Found>): Promise<Found | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ScanError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** The media type of a response; if it is unknown, that of the manifest itself. */
function mediaTypeOf({ headers, bytes }: FetchedDocument): string {
  const stated =
    String(headers["content-type"] ?? "")
      .split(";")[0]
      ?.trim() ?? "";
  if (findMediaTypeKind(stated) !== undefined) return stated;
  const own = new Map(Object.entries(parseJson(bytes, "manifest") ?? {})).get("mediaType");
  return typeof own === "string" ? own : stated;
}

/** An object of a repository, and the ways to find out something about it. */
interface Lookup<Found> extends EndpointRequest {
  /** The path below `/v2/REPOSITORY/`. */
  readonly path: string;
  /** Reads the headers of the response to `HEAD`; undefined if they do not tell. */
  read(headers: OutboundResponse["headers"]): Found | undefined;
  /** Finds out the same with `GET`; undefined if the registry does not have the object. */
  get(): Promise<Found | undefined>;
}

/**
 * `HEAD` requests for the objects of one kind. Some registries, and the storages to which they redirect, answer 403, 404, 405 or 501 to every
 * `HEAD`. `GET` is sent then, also for the first 404. If only `GET` finds the object, `HEAD` is not sent any more.
 */
class HeadRequests {
  readonly #endpoint: Endpoint;
  #habit: "unknown" | "answers" | "refuses" = "unknown";

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Finds out something about an object. @returns undefined if the registry does not have it @throws StatusError; network errors */
  async find<Found>(lookup: Lookup<Found>): Promise<Found | undefined> {
    const headers = this.#habit === "refuses" ? "refused" : await this.#head(lookup);
    if (headers === undefined) return undefined;
    const stated = headers === "refused" ? undefined : lookup.read(headers);
    if (stated !== undefined) return stated;
    const found = await lookup.get();
    if (found !== undefined && headers === "refused") this.#habit = "refuses";
    return found;
  }

  /** @returns undefined if the registry does not have the object */
  async #head({
    path,
    headers,
    signal,
  }: Lookup<unknown>): Promise<OutboundResponse["headers"] | "refused" | undefined> {
    try {
      const options = { headers, signal };
      const response = await this.#endpoint.get(path, { method: "HEAD", ...options });
      await discardBody(response);
      this.#habit = "answers";
      return response.headers;
    } catch (error) {
      if (!(error instanceof StatusError) || !mayConcernHead(error.status)) throw error;
      return error.status === 404 && this.#habit === "answers" ? undefined : "refused";
    }
  }
}

/** Whether `GET` may succeed after this status of `HEAD`: 501, redirects, and 4xx except those that hold for every request. */
function mayConcernHead(status: number): boolean {
  if (status === 401 || status === 408 || status === 425 || status === 429) return false;
  return status === 501 || (status >= 300 && status < 500);
}
