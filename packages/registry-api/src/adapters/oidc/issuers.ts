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

/** An issuer of tokens, as it describes itself. */
export interface Issuer {
  readonly server: AuthorizationServer;
  /** The keys that it signs with: fetched when they are needed, and again for a key that is not known yet. */
  readonly keys: JWTVerifyGetKey;
}

/** How issuers are asked. */
export interface IssuersOptions {
  readonly ask: Ask;
  /** How many are remembered; 100 where absent. */
  readonly most?: number;
  /** How long each answer may take; 10,000 where absent. */
  readonly patienceMs?: number;
  /** How long no issuer is asked for its keys again, whatever tokens name; 30,000 where absent. */
  readonly cooldownMs?: number;
}

/** What issuers say of themselves, remembered for an hour. */
export interface Issuers {
  /** For other requests to the same hosts. */
  readonly fetch: ReturnType<typeof boundedFetch>;
  /** @param url as tokens name it @throws errors of the network, and of what is no description of that issuer */
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

/** After a failure an issuer is not asked again for so long: whoever shows tokens in its name cannot make us ask more often. */
const failureMs = 5000;

/** Opens the descriptions of issuers; the first use of each asks for it. */
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
