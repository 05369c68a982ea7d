import { type Bytes, type Digest, ScanError } from "@plimsoll/core";

/** The address and the credentials of a repository in another registry. */
export interface UpstreamAddress {
  /** With the port where one is given. */
  readonly host: string;
  readonly path: string;
  /** Requests are anonymous where absent. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Whether it has to have TLS with a certificate that can be trusted. */
  readonly verifiesTls: boolean;
  /** The proxy of the installation where absent. */
  readonly proxy?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
  /** Whether a client waits for what is asked: a failure is then told within seconds, and not tried again for minutes. */
  readonly isWaitedFor?: boolean;
}

/**
 * Another registry limits the rate of requests.
 * @example
 * throw new UpstreamLimited("registry.example allows no more requests", { retryAfterSeconds: 60 });
 */
export class UpstreamLimited extends ScanError {
  /** For how long it is not to be asked; undefined where it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { readonly retryAfterSeconds: number | undefined; readonly cause?: unknown }) {
    super("source_unreachable", message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A manifest of another registry; its bytes have its digest. */
export interface UpstreamManifest {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A repository of another registry. Every failure of it is a ScanError; where it limits the rate of requests, an {@link UpstreamLimited}. */
export interface UpstreamRepository extends AsyncDisposable {
  listTags(signal?: AbortSignal): Promise<readonly string[]>;
  /** The digest that a tag leads to; undefined where there is no such tag. */
  findDigest(tag: string, signal?: AbortSignal): Promise<Digest | undefined>;
  /** A manifest by tag or digest. */
  fetchManifest(reference: string, signal?: AbortSignal): Promise<UpstreamManifest>;
  /** So many bytes of a blob; their digest is for the caller to check. */
  openBlob(blob: { readonly digest: Digest; readonly sizeBytes: number }, signal?: AbortSignal): Bytes;
  /** The manifests that refer to another; none where the registry does not tell. */
  listReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly Digest[]>;
}

/** The catalog of another registry. Every failure of it is a ScanError. */
export interface UpstreamCatalog extends AsyncDisposable {
  listRepositories(signal?: AbortSignal): Promise<readonly string[]>;
}

/** Opens other registries: none at internal addresses, unless the settings allow them. */
export interface Upstreams {
  open(address: UpstreamAddress): Promise<UpstreamRepository>;
  openCatalog(address: Omit<UpstreamAddress, "path">): Promise<UpstreamCatalog>;
}
