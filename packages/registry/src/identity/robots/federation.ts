import { decodeJwt } from "jose";
import { invalidRequest } from "../../errors.ts";

/** The issuer and subject of external tokens with which a robot signs in. */
export interface Federation {
  readonly issuer: string;
  readonly subject: string;
}

/** The most federations of a robot. */
export const mostFederations = 50;

/** Checks the federations of a robot. @throws RegistryError `invalid_request` for invalid issuers, duplicates, and too many */
export function checkFederations(federations: readonly Federation[]): void {
  if (federations.length > mostFederations) throw invalidRequest(`expected at most ${mostFederations} federations`);
  const seen = new Set<string>();
  for (const { issuer, subject } of federations) {
    if (!isIssuerAddress(issuer)) {
      throw invalidRequest(
        `issuer ${JSON.stringify(issuer.slice(0, 300))}: expected the address of an issuer, with https://`,
      );
    }
    const name = JSON.stringify([issuer, subject]);
    if (seen.has(name)) throw invalidRequest(`The issuer and subject ${name.slice(0, 600)} occur twice`);
    seen.add(name);
  }
}

/** Longer tokens do not fit into a request header. */
const longestToken = 16_384;

/** The issuer and subject in a JWT, whose signature is not checked; undefined for any other text. */
export function readFederation(token: string): Federation | undefined {
  if (token.length > longestToken || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return undefined;
  try {
    const { iss: issuer, sub: subject } = decodeJwt(token);
    return typeof issuer === "string" && typeof subject === "string" ? { issuer, subject } : undefined;
  } catch {
    return undefined;
  }
}
/**
 * Whether an address can be that of an issuer of tokens. A network attacker who can change its responses can make tokens of any user or
 * robot: TLS is required, except on this machine.
 */
export function isIssuerAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return false;
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
}
