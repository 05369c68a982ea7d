import { createRemoteJWKSet, errors, type JWTVerifyGetKey, customFetch as keysFetch } from "jose";
import { LRUCache } from "lru-cache";
import type { AuthorizationServer } from "oauth4webapi";
import { loadLibrary } from "../load-library.ts";
import { type Ask, boundedFetch } from "./bounded-fetch.ts";

/** An issuer of tokens, as its discovery document describes it. */
export interface Issuer {
  readonly server: AuthorizationServer;
  /** The keys that it signs with, for tokens that anyone may show: fetched when they are needed, and again for an unknown key. */
  readonly keys: JWTVerifyGetKey;
  /** The same keys, for tokens that the issuer itself has sent: tokens of strangers cannot use up the requests for them. */
  readonly keysOfAnswers: JWTVerifyGetKey;
}

/** Options of {@link openIssuers}. */
export interface IssuersOptions {
  readonly ask: Ask;
  /** How many issuers are cached; 100 where absent. */
  readonly most?: number;
  /** How long each response may take; 10,000 where absent. */
  readonly patienceMs?: number;
  /** The least time, on average, between two requests to an issuer for unknown keys; 30,000 where absent. */
  readonly cooldownMs?: number;
  /** For tests. */
  readonly clock?: { now(): number };
}

/** The discovery documents of issuers, cached for an hour. */
export interface Issuers {
  /** Sends other requests to the same hosts. */
  readonly fetch: ReturnType<typeof boundedFetch>;
  /** Finds an issuer. @param url as in its tokens @throws network errors, and errors of an invalid discovery document */
  find(url: string): Promise<Issuer>;
}

/** The algorithms by which an issuer may sign: those whose keys can be published. */
export const signingAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

const maxBytes = 512 * 1024;
const rememberedMs = 3_600_000;
const keysRememberedMs = 600_000;

/** How many requests for unknown keys may follow each other at once. */
const requestsAtOnce = 5;

/** How long a failure is cached, so that callers with invalid tokens cannot make us send more requests. */
const failureMs = 5000;

/** Creates a cache of discovery documents. Each is fetched when it is first used. */
export function openIssuers(options: IssuersOptions): Issuers {
  const { ask, most = 100, patienceMs = 10_000, cooldownMs = 30_000, clock } = options;
  const fetch = boundedFetch(ask, { maxBytes, patienceMs });
  const known = new LRUCache<string, Promise<Issuer>>({ max: most, ttl: rememberedMs });
  return {
    fetch,
    find(url) {
      const remembered = known.get(url);
      if (remembered !== undefined) return remembered;
      const found = discover(url, fetch, { cooldownMs, patienceMs, clock });
      known.set(url, found);
      found.catch(() => known.set(url, found, { ttl: Math.min(failureMs, cooldownMs) || 1 }));
      return found;
    },
  };
}

/** The library for what clients and authorization servers say to each other. */
export function loadOauth() {
  return loadLibrary("oauth4webapi", import("oauth4webapi"));
}

async function discover(
  url: string,
  fetch: Issuers["fetch"],
  { patienceMs, ...limits }: RequestLimits & { readonly patienceMs: number },
): Promise<Issuer> {
  const issuer = new URL(url);
  const isPlain = issuer.protocol === "http:";
  const oauth = await loadOauth();
  const how = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: isPlain };
  const response = await oauth.discoveryRequest(issuer, how);
  const server = await oauth.processDiscoveryResponse(issuer, response);
  if (server.issuer !== url) throw new TypeError(`${url} has the issuer ${server.issuer}: use exactly this one`);
  if (server.jwks_uri === undefined) throw new TypeError(`${url} does not say where its keys are`);
  const address = new URL(server.jwks_uri);
  if (address.protocol !== "https:" && !isPlain) throw new TypeError(`${url} publishes its keys without TLS`);
  const published = createRemoteJWKSet(address, {
    [keysFetch]: fetch,
    cooldownDuration: Number.POSITIVE_INFINITY, // unknown keys are fetched below
    cacheMaxAge: keysRememberedMs,
    timeoutDuration: patienceMs,
  });
  return { server, keys: withUnknown(published, limits), keysOfAnswers: withUnknown(published, limits) };
}

interface RequestLimits {
  readonly cooldownMs: number;
  readonly clock: IssuersOptions["clock"];
}

/**
 * Fetches the keys again for a token with an unknown one. An issuer may rotate its keys several times in a row, so some requests may follow
 * each other at once; a stranger can show any number of unknown keys, so they are limited.
 */
function withUnknown(
  published: ReturnType<typeof createRemoteJWKSet>,
  { cooldownMs, clock }: RequestLimits,
): JWTVerifyGetKey {
  const ttl = Math.max(1, cooldownMs * requestsAtOnce);
  const recent = new LRUCache<symbol, true>({
    max: requestsAtOnce,
    ttl,
    ttlResolution: 0,
    perf: clock,
  });
  return async (header, token) => {
    try {
      return await published(header, token);
    } catch (error) {
      recent.purgeStale();
      if (!(error instanceof errors.JWKSNoMatchingKey) || (recent.size >= requestsAtOnce && cooldownMs > 0))
        throw error;
      if (!published.reloading) recent.set(Symbol(), true);
      await published.reload();
      return published(header, token);
    }
  };
}
