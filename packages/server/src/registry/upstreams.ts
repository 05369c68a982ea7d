import { type Bytes, ScanError } from "@plimsoll/core";
import { parseImageReference } from "@plimsoll/core/image";
import {
  findObjectFailure,
  findRateLimit,
  fixedCredential,
  hostCertificates,
  hostEnvironment,
  openRemoteCatalog,
  openRemoteRepository,
  type RegistryOptions,
  type RegistryTimeouts,
} from "@plimsoll/indexer";
import type { ProxySettings } from "@plimsoll/outbound";
import {
  type BaseImages,
  type OwnRegistry,
  type UpstreamAddress,
  UpstreamLimited,
  UpstreamObjectFailed,
  type UpstreamRepository,
  type Upstreams,
} from "@plimsoll/registry";
import { hostPlatform } from "@plimsoll/scanner";
import { type OutgoingOptions, outgoingPolicy } from "./outgoing.ts";

/** Limits for requests that a client waits for: short timeouts, and no waiting for `Retry-After`. */
const interactive = {
  timeouts: { connectMs: 5000, idleMs: 15_000, documentMs: 20_000 } satisfies Partial<RegistryTimeouts>,
  retry: { attempts: 2, maxRetryAfterMs: 0 },
};

/**
 * Opens repositories of other registries on behalf of tenants. Internal addresses that are not allowed are refused, both in a tenant's
 * reference and in redirects and addresses of token services.
 * @param connecting.retry members of the retry policy, for tests
 */
export function guardedUpstreams(options: OutgoingOptions, { retry }: Pick<RegistryOptions, "retry"> = {}): Upstreams {
  const policy = outgoingPolicy(options);
  const optionsOf = (registry: string, { host, login, verifiesTls, proxy, isWaitedFor = false }: UpstreamHost) => {
    const used: ProxySettings | undefined = proxy ?? options.proxy;
    return {
      policy,
      proxyPolicy: proxy && policy, // the tenant's, not the operator's
      insecure: verifiesTls ? [] : [host],
      credentials: login && fixedCredential(registry, { kind: "basic", ...login }),
      proxy: used,
      timeouts: isWaitedFor ? interactive.timeouts : undefined,
      retry: { ...(isWaitedFor && interactive.retry), ...retry },
    };
  };
  return {
    async open(address) {
      const { registry, repository } = parseImageReference(`${address.host}/${address.path}:latest`);
      return withUpstreamErrors(await openRemoteRepository({ registry, repository }, optionsOf(registry, address)));
    },
    async openCatalog(address) {
      const opened = await openRemoteCatalog(address.host, optionsOf(address.host, address));
      return {
        listRepositories: (signal) => translated(opened.listRepositories(signal)),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
  };
}

type UpstreamHost = Omit<UpstreamAddress, "path">;

/** Wraps a repository so that its failures are the errors of the port. */
function withUpstreamErrors(opened: UpstreamRepository): UpstreamRepository {
  return {
    listTags: (signal) => translated(opened.listTags(signal)),
    findDigest: (tag, signal) => translated(opened.findDigest(tag, signal)),
    fetchManifest: (reference, signal) => translated(opened.fetchManifest(reference, signal)),
    findBlobSize: (digest, signal) => translated(opened.findBlobSize(digest, signal)),
    openBlob: (blob, signal) => bytesWithUpstreamErrors(opened.openBlob(blob, signal)),
    findReferrers: (digest, signal) => translated(opened.findReferrers(digest, signal)),
    listReferrers: (digest, signal) => translated(opened.listReferrers(digest, signal)),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function translated<Result>(asked: Promise<Result>): Promise<Result> {
  return asked.catch((error: unknown) => Promise.reject(asUpstreamError(error)));
}

async function* bytesWithUpstreamErrors(source: Bytes): Bytes {
  try {
    yield* source;
  } catch (error) {
    throw asUpstreamError(error);
  }
}

function asUpstreamError(error: unknown): unknown {
  if (!(error instanceof ScanError)) return error;
  const { code, message } = error;
  const limit = findRateLimit(error);
  if (limit !== undefined) {
    const retryAfterSeconds = limit.retryAfterMs === undefined ? undefined : Math.ceil(limit.retryAfterMs / 1000);
    return new UpstreamLimited(message, { retryAfterSeconds, cause: error });
  }
  const failure = code === "source_unreachable" || code === "timed_out" ? findObjectFailure(error) : undefined;
  return failure === undefined ? error : new UpstreamObjectFailed(code, message, { ...failure, cause: error });
}

/**
 * Opens the repositories of base images. A Dockerfile chooses their registries, their redirects and token services, so internal addresses
 * that are not allowed are refused. Only the registry itself is one that the operator chose.
 */
export function guardedBaseImages(options: OutgoingOptions): BaseImages {
  const guarded = { policy: outgoingPolicy(options), proxy: options.proxy };
  const certificates = authoritiesOf(hostCertificates(hostEnvironment()));
  return {
    platform: hostPlatform(),
    open({ host, path }, own) {
      const repository = { registry: host, repository: path };
      const isOwn = host.toLowerCase() === own.host.toLowerCase();
      const common = { certificates, retry: { attempts: 2 } };
      return openRemoteRepository(repository, { ...common, ...(isOwn ? ownOptions(own) : guarded) });
    },
  };
}

function ownOptions({ scheme, host, login }: OwnRegistry) {
  return {
    policy: "trusted" as const,
    insecure: scheme === "http" ? [host] : [],
    credentials: fixedCredential(host, { kind: "basic", ...login }),
  };
}

type Certificates = ReturnType<typeof hostCertificates>;

/** The authorities that the machine trusts for a host, without its client certificates: a tenant's request must not use those. */
function authoritiesOf(certificates: Certificates): Certificates {
  return (host) => {
    const ca = certificates(host)?.ca;
    return ca === undefined ? undefined : { ca };
  };
}
