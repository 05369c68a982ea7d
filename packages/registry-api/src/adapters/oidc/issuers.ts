import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as keysFetch } from "jose";
import { LRUCache } from "lru-cache";
import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import { type Ask, boundedFetch } from "./bounded-fetch.ts";

/** An issuer of tokens, as its discovery document describes it. */
export interface Issuer {
  readonly server: AuthorizationServer;
  /** The keys that it signs with: fetched when they are needed, and again for an unknown key. */
  readonly keys: JWTVerifyGetKey;
}

/** Options of {@link openIssuers}. */
export interface IssuersOptions {
  readonly ask: Ask;
  /** How many issuers are cached; 100 where absent. */
  readonly most?: number;
  /** How long each response may take; 10,000 where absent. */
  readonly patienceMs?: number;
  /** The least time between two requests to an issuer for its keys; 30,000 where absent. */
  readonly cooldownMs?: number;
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

/** How long a failure is cached, so that callers with invalid tokens cannot make us send more requests. */
const failureMs = 5000;

/** Creates a cache of discovery documents. Each is fetched when it is first used. */
export function openIssuers({ ask, most = 100, patienceMs = 10_000, cooldownMs = 30_000 }: IssuersOptions): Issuers {
  const fetch = boundedFetch(ask, { maxBytes, patienceMs });
  const known = new LRUCache<string, Promise<Issuer>>({ max: most, ttl: rememberedMs });
  return {
    fetch,
    find(url) {
      const remembered = known.get(url);
      if (remembered !== undefined) return remembered;
      const found = discover(url, fetch, { cooldownMs, patienceMs });
      known.set(url, found);
      found.catch(() => known.set(url, found, { ttl: Math.min(failureMs, cooldownMs) || 1 }));
      return found;
    },
  };
}

async function discover(
  url: string,
  fetch: Issuers["fetch"],
  { cooldownMs, patienceMs }: Required<Pick<IssuersOptions, "cooldownMs" | "patienceMs">>,
): Promise<Issuer> {
  const issuer = new URL(url);
  const isPlain = issuer.protocol === "http:";
  const response = await discoveryRequest(issuer, { [customFetch]: fetch, [allowInsecureRequests]: isPlain });
  const server = await processDiscoveryResponse(issuer, response);
  if (server.issuer !== url) throw new TypeError(`${url} has the issuer ${server.issuer}: use exactly this one`);
  if (server.jwks_uri === undefined) throw new TypeError(`${url} does not say where its keys are`);
  const address = new URL(server.jwks_uri);
  if (address.protocol !== "https:" && !isPlain) throw new TypeError(`${url} publishes its keys without TLS`);
  const keys = createRemoteJWKSet(address, {
    [keysFetch]: fetch,
    cooldownDuration: cooldownMs,
    cacheMaxAge: keysRememberedMs,
    timeoutDuration: patienceMs,
  });
  return { server, keys };
}
