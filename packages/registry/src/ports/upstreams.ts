import { type Bytes, ScanError, type ScanErrorCode } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";

/** The address and the credentials of a repository in another registry. */
export interface UpstreamAddress {
  /** With the port, if there is one. */
  readonly host: string;
  readonly path: string;
  /** Absent: requests are anonymous. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Whether TLS with a trusted certificate is required. */
  readonly verifiesTls: boolean;
  /** Absent: the proxy of the installation. */
  readonly proxy?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
  /** Whether a client waits for the response: requests then fail within seconds instead of being retried for minutes. */
  readonly isWaitedFor?: boolean;
}

/**
 * Another registry limits the rate of requests.
 * @example
 * throw new UpstreamLimited("registry.example allows no more requests", { retryAfterSeconds: 60 });
 */
export class UpstreamLimited extends ScanError {
  /** How long to send no requests; undefined if the registry does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { readonly retryAfterSeconds: number | undefined; readonly cause?: unknown }) {
    super("source_unreachable", message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * A request for one object failed, but the registry answers: its other objects may be fine.
 * @example
 * throw new UpstreamObjectFailed("source_unreachable", "registry.example answered 500 to the tag v1", { isPassing: true });
 */
export class UpstreamObjectFailed extends ScanError {
  /** Whether the same request may succeed later: not if the registry refuses the request itself. */
  readonly isPassing: boolean;
  /** How long the object is not requested; undefined if it was not paused. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ScanErrorCode, message: string, { isPassing, retryAfterSeconds, cause }: ObjectFailureDetails) {
    super(code, message, { cause });
    this.isPassing = isPassing;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What is known of the failure of a request for one object. */
export interface ObjectFailureDetails {
  readonly isPassing: boolean;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A manifest of another registry. Its bytes have been checked against its digest. */
export interface UpstreamManifest {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * A repository of another registry. Its methods throw a ScanError for every failure: an {@link UpstreamLimited} if the registry limits the rate
 * of requests, an {@link UpstreamObjectFailed} for an error that concerns only the requested object.
 */
export interface UpstreamRepository extends AsyncDisposable {
  listTags(signal?: AbortSignal): Promise<readonly string[]>;
  /** The digest to which a tag points; undefined if there is no such tag. */
  findDigest(tag: string, signal?: AbortSignal): Promise<Digest | undefined>;
  /** A manifest by tag or digest. */
  fetchManifest(reference: string, signal?: AbortSignal): Promise<UpstreamManifest>;
  /** The size of a blob in bytes; undefined if the registry does not have it. */
  findBlobSize(digest: Digest, signal?: AbortSignal): Promise<number | undefined>;
  /** The bytes of a blob, `sizeBytes` of them. The caller must check their digest. */
  openBlob(blob: { readonly digest: Digest; readonly sizeBytes: number }, signal?: AbortSignal): Bytes;
  /** The referrers of a manifest; undefined if the registry does not list referrers. */
  findReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly UpstreamReferrer[] | undefined>;
  /** The digests of the referrers of a manifest; empty if the registry does not list them. */
  listReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly Digest[]>;
}

/** A manifest that refers to another, as its registry describes it. */
export interface UpstreamReferrer {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly artifactType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The catalog of another registry. Its methods throw a ScanError for every failure. */
export interface UpstreamCatalog extends AsyncDisposable {
  listRepositories(signal?: AbortSignal): Promise<readonly string[]>;
}

/** Opens other registries. Internal addresses are refused, unless the settings allow them. */
export interface Upstreams {
  open(address: UpstreamAddress): Promise<UpstreamRepository>;
  openCatalog(address: Omit<UpstreamAddress, "path">): Promise<UpstreamCatalog>;
}

/** Refuses to open other registries. It is the port of registries that are configured without a client for them. */
export const noUpstreams: Upstreams = { open: refuse, openCatalog: refuse };

async function refuse({ host }: { readonly host: string }): Promise<never> {
  throw new ScanError("not_permitted", `${host}: this registry sends no requests to other registries`);
}

/** The longest time for which a registry that limits the rate of requests is not asked. */
const longestWaitMs = 86_400_000;

/** For how long the registry that caused an error is not to be asked: milliseconds; 0 if it does not say, or limits nothing. */
export function waitMsOf(error: unknown): number {
  const seconds = error instanceof UpstreamLimited ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1000, longestWaitMs);
}
