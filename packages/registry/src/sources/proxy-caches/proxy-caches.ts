import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { type ExternalReference, parseExternalReference } from "../mirrors/external-reference.ts";
import { insertProxyCache, removeProxyCache } from "./queries/proxy-caches.ts";

/** The body of a request about a proxy cache. */
export interface ProxyCacheRequest {
  readonly upstream_registry: string;
  readonly upstream_registry_username?: string | undefined;
  readonly upstream_registry_password?: string | undefined;
  /** 0: never. */
  readonly expiration_s?: number | undefined;
  readonly insecure?: boolean;
}

const usualExpirationSeconds = 86_400;

/** Checks that requests to an upstream registry are allowed. @throws RegistryError `invalid_request` */
export async function checkUpstream({ outgoing }: CallContext, upstream_registry: string): Promise<ExternalReference> {
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
  const { host } = await checkUpstream(context, request.upstream_registry);
  const { upstream_registry_username: username, upstream_registry_password: password, insecure = false } = request;
  const login = username ? { username, password: password ?? "" } : undefined;
  const { outgoing, caller } = context;
  return outgoing.checkLogin({ host, verifiesTls: !insecure, login }, { signal: caller.signal });
}
