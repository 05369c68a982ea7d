import { decodeJwt } from "jose";
import { invalidRequest } from "../errors.ts";

/** Whose tokens a robot signs in with. */
export interface Federation {
  readonly issuer: string;
  readonly subject: string;
}

const mostFederations = 50;

/** @throws RegistryError `invalid_request` for issuers that are no addresses, what is there twice, and too many */
export function checkFederations(federations: readonly Federation[]): void {
  if (federations.length > mostFederations) throw invalidRequest(`expected at most ${mostFederations} federations`);
  const seen = new Set<string>();
  for (const { issuer, subject } of federations) {
    const url = URL.parse(issuer);
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.search !== "" ||
      url.hash !== "" ||
      url.username !== ""
    ) {
      throw invalidRequest(
        `issuer ${JSON.stringify(issuer.slice(0, 300))}: expected the address of an issuer, with https://`,
      );
    }
    const name = JSON.stringify([issuer, subject]);
    if (seen.has(name)) throw invalidRequest(`The issuer and subject ${name.slice(0, 600)} occur twice`);
    seen.add(name);
  }
}

/** Longer ones are read by no server. */
const longestToken = 16_384;

/** What a JWT says of its issuer and subject, before its signature is checked; undefined for any other text. */
export function readFederation(token: string): Federation | undefined {
  if (token.length > longestToken || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return undefined;
  try {
    const { iss: issuer, sub: subject } = decodeJwt(token);
    return typeof issuer === "string" && typeof subject === "string" ? { issuer, subject } : undefined;
  } catch {
    return undefined;
  }
}
