import { type Bytes, parseImageReference } from "@plimsoll/core";
import {
  findRateLimit,
  fixedCredential,
  openRemoteCatalog,
  openRemoteRepository,
  type RegistryTimeouts,
} from "@plimsoll/indexer";
import type { ProxySettings } from "@plimsoll/outbound";
import { type UpstreamAddress, UpstreamLimited, type UpstreamRepository, type Upstreams } from "@plimsoll/registry-api";
import { type OutgoingOptions, outgoingPolicy } from "./outgoing-policy.ts";

/** Limits for requests that a client waits for: short timeouts, and no waiting for `Retry-After`. */
const interactive = {
  timeouts: { connectMs: 5000, idleMs: 15_000, documentMs: 20_000 } satisfies Partial<RegistryTimeouts>,
  retry: { attempts: 2, maxRetryAfterMs: 0 },
};

/**
 * Opens repositories of other registries on behalf of tenants. Internal addresses that are not allowed are refused, both in a tenant's
 * reference and in redirects and addresses of token services.
 */
export function guardedUpstreams(options: OutgoingOptions): Upstreams {
  const policy = outgoingPolicy(options);
  const optionsOf = (registry: string, { host, login, verifiesTls, proxy, isWaitedFor = false }: UpstreamHost) => {
    const used: ProxySettings | undefined = proxy ?? options.proxy;
    return {
      policy,
      ...(proxy && { proxyPolicy: policy }), // the tenant's, not the operator's
      insecure: verifiesTls ? [] : [host],
      ...(login && { credentials: fixedCredential(registry, { kind: "basic", ...login }) }),
      ...(used && { proxy: used }),
      ...(isWaitedFor && interactive),
    };
  };
  return {
    async open(address) {
      const { registry, repository } = parseImageReference(`${address.host}/${address.path}:latest`);
      return withRateLimitErrors(await openRemoteRepository({ registry, repository }, optionsOf(registry, address)));
    },
    async openCatalog(address) {
      const opened = await openRemoteCatalog(address.host, optionsOf(address.host, address));
      return {
        listRepositories: (signal) => limited(opened.listRepositories(signal)),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
  };
}

type UpstreamHost = Omit<UpstreamAddress, "path">;

/** Wraps a repository so that exceeding its registry's rate limit rejects with `UpstreamLimited`. */
function withRateLimitErrors(opened: UpstreamRepository): UpstreamRepository {
  return {
    listTags: (signal) => limited(opened.listTags(signal)),
    findDigest: (tag, signal) => limited(opened.findDigest(tag, signal)),
    fetchManifest: (reference, signal) => limited(opened.fetchManifest(reference, signal)),
    openBlob: (blob, signal) => bytesWithRateLimitErrors(opened.openBlob(blob, signal)),
    listReferrers: (digest, signal) => limited(opened.listReferrers(digest, signal)),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function limited<Result>(asked: Promise<Result>): Promise<Result> {
  return asked.catch((error: unknown) => Promise.reject(asLimit(error)));
}

async function* bytesWithRateLimitErrors(source: Bytes): Bytes {
  try {
    yield* source;
  } catch (error) {
    throw asLimit(error);
  }
}

function asLimit(error: unknown): unknown {
  const limit = findRateLimit(error);
  if (limit === undefined || !(error instanceof Error)) return error;
  const retryAfterSeconds = limit.retryAfterMs === undefined ? undefined : Math.ceil(limit.retryAfterMs / 1000);
  return new UpstreamLimited(error.message, { retryAfterSeconds, cause: error });
}
