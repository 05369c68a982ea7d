import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { invalidRequest } from "@plimsoll/registry/errors";
import {
  checkUpstream,
  createProxyCache,
  deleteProxyCache,
  validateUpstream,
} from "@plimsoll/registry/sources/proxy-caches/proxy-caches";
import { findProxyCache } from "@plimsoll/registry/sources/proxy-caches/queries/proxy-caches";
import { type Static, Type } from "typebox";
import { operation, withoutNull } from "../../operation.ts";

const resource = { tag: "organization", feature: "proxyCache" } as const;
const asAdmin = { ...resource, access: onOrganization("admin", { scope: undefined }) } as const;

const ProxyCacheConfig = Type.Object({
  upstream_registry: Type.String({ description: "Empty if the organization is not a proxy cache" }),
  expiration_s: Type.Union([Type.Integer(), Type.Null(), Type.Literal("")]),
  insecure: Type.Union([Type.Boolean(), Type.Literal("")]),
});

const credential = Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]));

const NewProxyCache = Type.Object({
  upstream_registry: Type.String({ minLength: 1, maxLength: 512, description: "host, or host/namespace" }),
  upstream_registry_username: credential,
  upstream_registry_password: credential,
  expiration_s: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 10 * 31_536_000, description: "0: never" }), Type.Null()]),
  ),
  insecure: Type.Optional(Type.Boolean({ description: "Without TLS" })),
});

function requestOf(body: Static<typeof NewProxyCache>) {
  return { ...withoutNull(body), expiration_s: body.expiration_s === null ? 0 : body.expiration_s };
}

const getProxyCacheConfig = operation({
  ...resource,
  id: "getProxyCacheConfig",
  versionMembers: ["upstream_registry", "expiration_s", "insecure"],
  method: "GET",
  path: "/organization/{orgname}/proxycache",
  summary: "Which registry an organization is a cache of.",
  access: onOrganization("member", { scope: undefined }),
  success: 200,
  result: ProxyCacheConfig,
  async handle({ subject }, context) {
    const cache = await findProxyCache(context, subject.organization);
    if (cache === undefined) return { upstream_registry: "", expiration_s: "", insecure: "" } as const;
    const { upstream_registry, expiration_s, insecure } = cache;
    return { upstream_registry, expiration_s, insecure: insecure === 1 };
  },
});

const createProxyCacheConfig = operation({
  ...asAdmin,
  id: "createProxyCacheConfig",
  audit: ["create_proxy_cache_config"],
  method: "POST",
  path: "/organization/{orgname}/proxycache",
  summary: "Make an organization a cache of another registry.",
  body: NewProxyCache,
  success: 201,
  result: Type.Literal("Created"),
  prepare: ({ body }, context) => checkUpstream(context, body.upstream_registry),
  handle: ({ subject, body }, context) => createProxyCache(context, subject.organization, requestOf(body)),
});

const deleteProxyCacheConfig = operation({
  ...asAdmin,
  id: "deleteProxyCacheConfig",
  version: getProxyCacheConfig,
  audit: ["delete_proxy_cache_config"],
  method: "DELETE",
  path: "/organization/{orgname}/proxycache",
  summary: "Let an organization be a cache no longer.",
  success: 204,
  handle: ({ subject }, context) => deleteProxyCache(context, subject.organization),
});

const validateProxyCacheConfig = operation({
  ...asAdmin,
  id: "validateProxyCacheConfig",
  method: "POST",
  path: "/organization/{orgname}/validateproxycache",
  summary: "Check whether an organization can be a proxy cache of a registry.",
  body: NewProxyCache,
  success: 202,
  result: Type.Enum(["Valid", "Anonymous"]),
  async prepare({ subject, body }, context) {
    const cache = await findProxyCache(context, subject.organization);
    if (cache !== undefined) throw invalidRequest("Proxy Cache Configuration already exists");
    return validateUpstream(context, requestOf(body));
  },
  handle: async ({ prepared }) => prepared,
});

/** Organizations that are caches of other registries. */
export const proxyCacheOperations = [
  validateProxyCacheConfig,
  getProxyCacheConfig,
  createProxyCacheConfig,
  deleteProxyCacheConfig,
];
