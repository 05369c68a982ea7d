import { isIP } from "node:net";
import { type Bytes, parseImageReference } from "@plimsoll/core";
import {
  findRateLimit,
  fixedCredential,
  openRemoteCatalog,
  openRemoteRepository,
  type RegistryTimeouts,
} from "@plimsoll/indexer";
import { addressGuard, type ProxySettings } from "@plimsoll/outbound";
import { type UpstreamAddress, UpstreamLimited, type UpstreamRepository, type Upstreams } from "@plimsoll/registry-api";
import type { OutgoingOptions } from "./outgoing.ts";

/** How long what a client waits for may take: a server that asks for a pause is not waited for. */
const waitedFor = {
  timeouts: { connectMs: 5000, idleMs: 15_000, documentMs: 20_000 } satisfies Partial<RegistryTimeouts>,
  retry: { attempts: 2, maxRetryAfterMs: 0 },
};

/**
 * Opens repositories of other registries on behalf of tenants: none at an internal address that is not allowed, neither when a
 * tenant names it nor where a redirect or a token service leads.
 */
export function guardedUpstreams(options: OutgoingOptions): Upstreams {
  const { allowedInternalHosts, onRefused, proxy: usualProxy, lookup } = options;
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = new Set(allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()));
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  const optionsOf = (registry: string, { host, login, verifiesTls, proxy, isWaitedFor = false }: Reached) => {
    const isNamed = names.has(host.replace(/:\d+$/, "").toLowerCase());
    const used: ProxySettings | undefined = proxy ?? usualProxy;
    return {
      policy: isNamed ? ("trusted" as const) : { guard, onRefused, ...(lookup && { lookup }) },
      insecure: verifiesTls ? [] : [host],
      ...(login && { credentials: fixedCredential(registry, { kind: "basic", ...login }) }),
      ...(used && { proxy: used }),
      ...(isWaitedFor && waitedFor),
    };
  };
  return {
    async open(address) {
      const { registry, repository } = parseImageReference(`${address.host}/${address.path}:latest`);
      return tellingLimits(await openRemoteRepository({ registry, repository }, optionsOf(registry, address)));
    },
    openCatalog: (address) => openRemoteCatalog(address.host, optionsOf(address.host, address)),
  };
}

type Reached = Omit<UpstreamAddress, "path">;

/** The same repository, whose failures tell a limit of its registry from others. */
function tellingLimits(opened: UpstreamRepository): UpstreamRepository {
  const telling = <Result>(asked: Promise<Result>) => asked.catch((error: unknown) => Promise.reject(asLimit(error)));
  return {
    listTags: (signal) => telling(opened.listTags(signal)),
    findDigest: (tag, signal) => telling(opened.findDigest(tag, signal)),
    fetchManifest: (reference, signal) => telling(opened.fetchManifest(reference, signal)),
    openBlob: (blob, signal) => bytesTelling(opened.openBlob(blob, signal)),
    listReferrers: (digest, signal) => telling(opened.listReferrers(digest, signal)),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

async function* bytesTelling(source: Bytes): Bytes {
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
