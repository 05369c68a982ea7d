import { discardBody, type FetchResponse } from "@plimsoll/outbound";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { type ExternalReference, parseExternalReference } from "../mirrors/external-reference.ts";
import { insertProxyCache, removeProxyCache } from "./queries/proxy-caches.ts";

/** The body of a request about a proxy cache. */
export interface ProxyCacheRequest {
  readonly upstream_registry: string;
  readonly upstream_registry_username?: string | null;
  readonly upstream_registry_password?: string | null;
  readonly expiration_s?: number | null;
  readonly insecure?: boolean;
}

const usualExpirationSeconds = 86_400;

/** Checks that requests to an upstream registry are allowed. @throws RegistryError `invalid_request` */
export async function checkUpstream(
  { outgoing }: CallContext,
  { upstream_registry }: ProxyCacheRequest,
): Promise<ExternalReference> {
  const reference = parseExternalReference("upstream_registry", upstream_registry);
  await outgoing.check(reference.hostname);
  return reference;
}

/** Makes an organization a cache of an upstream registry. @throws RegistryError `invalid_request` when it is one already */
export async function createProxyCache(
  { db, secrets, log }: CallContext<"create_proxy_cache_config">,
  organization: AccountRow,
  request: ProxyCacheRequest,
): Promise<"Created"> {
  const { upstream_registry, upstream_registry_username: username, upstream_registry_password: password } = request;
  const { expiration_s = usualExpirationSeconds, insecure = false } = request;
  const row = {
    organization_id: organization.id,
    upstream_registry,
    upstream_username: username || null,
    upstream_password_sealed: password ? secrets.seal(password) : null,
    expiration_s: expiration_s === 0 ? null : expiration_s,
    insecure: insecure ? (1 as const) : (0 as const),
  };
  const isNew = await insertProxyCache(db, row);
  if (!isNew) throw invalidRequest("Proxy Cache Configuration already exists");
  await log("create_proxy_cache_config", { upstream_registry });
  return "Created";
}

/** Deletes the cache configuration of an organization; its images stay. @throws RegistryError `not_found` */
export async function deleteProxyCache(
  { db, log }: CallContext<"delete_proxy_cache_config">,
  { id }: AccountRow,
): Promise<void> {
  const isDeleted = await removeProxyCache(db, id);
  if (!isDeleted) throw notFound("The organization is not a proxy cache");
  await log("delete_proxy_cache_config", {});
}

/**
 * Checks whether an upstream registry accepts the credentials: `Valid`, or `Anonymous` if it requires some and none are given.
 * @throws RegistryError `invalid_request`
 */
export async function validateUpstream(
  context: CallContext,
  request: ProxyCacheRequest,
): Promise<"Valid" | "Anonymous"> {
  const { host } = await checkUpstream(context, request);
  const { upstream_registry_username: username, upstream_registry_password: password, insecure } = request;
  const registry = host === "docker.io" ? "registry-1.docker.io" : host;
  const basic = username ? `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}` : undefined;
  const response = await fetchHead(context, `${insecure ? "http" : "https"}://${registry}/v2/`, basic);
  if (response.ok) return "Valid";
  if (response.status === 401) return basic === undefined ? "Anonymous" : checkBearerLogin(context, response, basic);
  throw invalidRequest(`Failed login to remote registry: it answered ${response.status}`);
}

/** Checks the credentials at the token service, since most registries accept a password only there. */
async function checkBearerLogin(
  context: CallContext,
  response: FetchResponse,
  basic: string,
): Promise<"Valid" | "Anonymous"> {
  const challenge = response.headers.get("www-authenticate") ?? "";
  const realm = /^Bearer\b.*\brealm="([^"]+)"/i.exec(challenge)?.[1];
  if (realm === undefined || !URL.canParse(realm)) throw refusedLogin();
  const service = /\bservice="([^"]+)"/i.exec(challenge)?.[1];
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set("service", service);
  await context.outgoing.check(url.hostname);
  const token = await fetchHead(context, url.href, basic);
  if (!token.ok) throw refusedLogin();
  return "Valid";
}

/** Sends a request and discards the body of the response. @throws RegistryError `invalid_request` if the registry does not respond */
async function fetchHead(
  { outgoing, request }: CallContext,
  url: string,
  basic: string | undefined,
): Promise<FetchResponse> {
  const sent = outgoing.send(url, {
    headers: basic === undefined ? {} : { authorization: basic },
    redirect: "error",
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(10_000)]),
  });
  const response = await sent.catch((cause: unknown) => {
    throw invalidRequest(`Failed to reach the remote registry ${new URL(url).host}: ${reasonOf(cause)}`);
  });
  await discardBody(response);
  return response;
}

function refusedLogin() {
  return invalidRequest("Failed login to remote registry. Please verify entered details and try again.");
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.slice(0, 200) : "no answer";
}
