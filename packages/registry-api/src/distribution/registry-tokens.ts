import { jwtVerify, SignJWT } from "jose";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TokenEntity } from "./token-entity.ts";
import type { TokenAccess } from "./token-scopes.ts";

/** How long registry tokens live, in seconds. */
export const registryTokenSeconds = 3600;

/** How far the clocks of two nodes may be apart, in seconds. */
const skewSeconds = 30;

const issuer = "plimsoll";

/** What a registry token says. */
export interface RegistryToken {
  readonly subject: string;
  /** The service that it is for. */
  readonly audience: string;
  readonly entity: TokenEntity;
  readonly access: readonly TokenAccess[];
}

/** What a refresh token says. */
export interface RefreshToken {
  /** The service that it is for. */
  readonly audience: string;
  readonly entity: TokenEntity;
  readonly lifetimeSeconds: number;
}

const Entity = Type.Object({
  entity_kind: Type.Enum(["anonymous", "user", "robot", "appspecifictoken", "oauthtoken", "token"]),
  entity_reference: Type.Optional(Type.String()),
  credential_version: Type.Optional(Type.Integer()),
});

const RefreshClaims = Compile(Type.Object({ context: Entity }));

const Claims = Compile(
  Type.Object({
    sub: Type.String(),
    aud: Type.String(),
    iat: Type.Number(),
    exp: Type.Number(),
    access: Type.Array(Type.Object({ type: Type.String(), name: Type.String(), actions: Type.Array(Type.String()) })),
    context: Entity,
  }),
);

/**
 * Signs a registry token: a JWT with HS256, since only this registry reads it.
 * @param key of its own, `deriveKey(key, "registry tokens")`
 */
export async function signRegistryToken(token: RegistryToken, key: Uint8Array, now: number): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ access: token.access, context: { version: 2, ...token.entity } })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(token.audience)
    .setSubject(token.subject)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(issuedAt + registryTokenSeconds)
    .sign(key);
}

/** What a registry token for this service says; undefined when it is not signed with the key, not for it, or not for now. */
export async function readRegistryToken(
  jwt: string,
  { key, audience, now }: { readonly key: Uint8Array; readonly audience: string | string[]; readonly now: number },
): Promise<RegistryToken | undefined> {
  const verified = await jwtVerify(jwt, key, {
    algorithms: ["HS256"],
    typ: "JWT",
    issuer,
    audience,
    currentDate: new Date(now),
    clockTolerance: skewSeconds,
    maxTokenAge: registryTokenSeconds,
    requiredClaims: ["sub", "nbf", "exp"],
  }).catch(() => undefined); // whatever is wrong with it, it is no token
  const claims = verified?.payload;
  if (!Claims.Check(claims)) return undefined;
  return { subject: claims.sub, audience: claims.aud, entity: claims.context, access: claims.access };
}

/** The `typ` of refresh tokens: neither kind is taken for the other. */
const refreshType = "refresh+jwt";

/**
 * Signs a refresh token, which stands for credentials that were shown once. It ends with them, as registry tokens do.
 * @param key as of {@link signRegistryToken}
 */
export async function signRefreshToken(token: RefreshToken, key: Uint8Array, now: number): Promise<string> {
  const { audience, entity, lifetimeSeconds } = token;
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ context: entity })
    .setProtectedHeader({ alg: "HS256", typ: refreshType })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key);
}

/** Whom a refresh token for this service stands for; undefined when it is not signed with the key, not for it, or not for now. */
export async function readRefreshToken(
  jwt: string,
  { key, audience, now }: { readonly key: Uint8Array; readonly audience: string; readonly now: number },
): Promise<TokenEntity | undefined> {
  const checks = { algorithms: ["HS256"], typ: refreshType, issuer, audience, requiredClaims: ["exp"] };
  const options = { ...checks, currentDate: new Date(now), clockTolerance: skewSeconds };
  const claims = (await jwtVerify(jwt, key, options).catch(() => undefined))?.payload;
  return RefreshClaims.Check(claims) ? claims.context : undefined;
}
