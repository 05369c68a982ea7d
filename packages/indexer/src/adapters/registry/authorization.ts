import { ScanError } from "@plimsoll/core";
import type { Json } from "@plimsoll/core/report";
import { discardBody, type OutboundRequest, type OutboundResponse } from "@plimsoll/outbound";
import type { Credential } from "./credentials.ts";
import { mayUsePlainHttp, type PlainHttpRule } from "./plain-http.ts";
import { readDocument } from "./read-document.ts";
import { TokenServiceFailure } from "./refusal.ts";

/** Options of {@link answerChallenge}. */
interface AuthorizationOptions extends PlainHttpRule {
  /** For messages. */
  readonly host: string;
  readonly repository: string;
  readonly credential: Credential | undefined;
  /** Sends a request to a token endpoint, with retries. */
  readonly send: (request: OutboundRequest) => Promise<OutboundResponse>;
  readonly signal?: AbortSignal;
}

const clientId = "plimsoll";
const maxTokenBytes = 1024 * 1024;

/**
 * The `Authorization` header that answers a registry's challenges; undefined if there is no answer.
 * @throws ScanError `unauthorized` if the token endpoint refuses, `source_unreachable` for a malformed answer;
 * TokenServiceFailure for network errors
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
export async function answerChallenge(header: string, options: AuthorizationOptions): Promise<string | undefined> {
  const challenges = parseChallenges(header);
  const { credential } = options;
  const bearer = challenges.find(({ scheme }) => scheme === "bearer");
  if (bearer !== undefined) {
    if (credential?.kind === "registry-token") return `Bearer ${credential.token}`;
    return `Bearer ${await fetchToken(bearer, options)}`;
  }
  const basic = challenges.some(({ scheme }) => scheme === "basic");
  return basic && credential?.kind === "basic" ? basicHeader(credential) : undefined;
}

async function fetchToken(challenge: Challenge, options: AuthorizationOptions): Promise<string> {
  const realm = readRealm(challenge, options);
  const failed = (error: unknown): never => {
    throw error instanceof ScanError ? error : new TokenServiceFailure(realm.host, error);
  };
  const response = await options.send(tokenRequest(realm, challenge, options)).catch(failed);
  if (response.status === 200) {
    const what = `the token endpoint ${realm.host}`;
    const token = findToken(await readDocument(response.body, maxTokenBytes, what).catch(failed));
    if (token !== undefined) return token;
    throw new ScanError(
      "source_unreachable",
      `${realm.host}: expected a JSON object with a token, found something else`,
    );
  }
  await discardBody(response);
  if (response.status >= 500 || response.status === 429) {
    throw new ScanError("source_unreachable", `the token endpoint ${realm.host} answered ${response.status}`);
  }
  const remedy = options.credential === undefined ? "log in first" : "the stored credential is not valid, log in again";
  const message = `${options.host} denies access to ${options.repository || "its catalog"} (${realm.host} answered ${response.status}): ${remedy}`;
  throw new ScanError("unauthorized", message);
}

/** The realm of a challenge. Credentials are sent to it, so that it must be as safe as the registry. */
function readRealm(challenge: Challenge, options: AuthorizationOptions): URL {
  const realm = URL.parse(challenge.parameters.get("realm") ?? "");
  const isSafe = realm?.protocol === "https:" || (realm?.protocol === "http:" && mayUsePlainHttp(realm.host, options));
  if (realm !== null && isSafe) return realm;
  const found = realm === null ? "no address" : `${realm.protocol}//${realm.host}`;
  throw new ScanError("source_unreachable", `${options.host}: expected a token endpoint with TLS, found ${found}`);
}

/** The scope of a token if the challenge names none. */
function scopeOf(repository: string): string {
  return repository === "" ? "registry:catalog:*" : `repository:${repository}:pull`;
}

function tokenRequest(realm: URL, challenge: Challenge, options: AuthorizationOptions): OutboundRequest {
  const { credential, repository, signal } = options;
  const parameters = new URLSearchParams();
  const service = challenge.parameters.get("service");
  if (service !== undefined) parameters.set("service", service);
  parameters.set("scope", challenge.parameters.get("scope") ?? scopeOf(repository));
  parameters.set("client_id", clientId);
  if (credential?.kind === "identity-token") {
    parameters.set("grant_type", "refresh_token");
    parameters.set("refresh_token", credential.token);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { signal, url: realm, method: "POST", headers, body: parameters.toString() };
  }
  const url = new URL(realm);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return {
    signal,
    url,
    originHeaders: credential?.kind === "basic" ? { authorization: basicHeader(credential) } : undefined,
  };
}

function findToken(body: Uint8Array): string | undefined {
  const answer = parseObject(body);
  const token = answer?.token ?? answer?.access_token;
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

function parseObject(body: Uint8Array): Readonly<Record<string, Json>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, Json>>) : undefined;
  } catch {
    return undefined;
  }
}

function basicHeader({ username, password }: Extract<Credential, { kind: "basic" }>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** An authentication method that a server offers. */
interface Challenge {
  /** Lower-case: `bearer`, `basic`. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const maxHeaderLength = 16 * 1024;
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const part = new RegExp(`[\\s,]*(${token})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))|(?=[\\s,]|$))`, "y");

/**
 * Parses the challenges of a `WWW-Authenticate` header. Parsing stops at the first syntax error; the challenges before it count.
 *
 *     header    = challenge { "," challenge }
 *     challenge = scheme [ parameter { "," parameter } ]
 *     parameter = name "=" ( token | quoted string )
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  const text = header.slice(0, maxHeaderLength);
  part.lastIndex = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [, name = "", quoted, plain] = match;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return challenges;
}
