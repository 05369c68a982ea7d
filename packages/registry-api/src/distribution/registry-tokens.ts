import { jwtVerify, SignJWT } from "jose";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TokenEntity } from "./token-entity.ts";
import type { TokenAccess } from "./token-scopes.ts";

/** The lifetime of registry tokens, in seconds. */
export const registryTokenSeconds = 3600;

/** The largest accepted difference between the clocks of two nodes. */
const skewSeconds = 30;

const issuer = "plimsoll";

/** The content of a registry token. */
export interface RegistryToken {
  readonly subject: string;
  /** The service for which it is valid. */
  readonly audience: string;
  readonly entity: TokenEntity;
  readonly access: readonly TokenAccess[];
}

/** The content of a refresh token. */
export interface RefreshToken {
  /** The service for which it is valid. */
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
 * @param key a key only for tokens: `deriveKey(key, "registry tokens")`
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

/** Reads a registry token; undefined if its signature or audience is wrong, or it is not valid now. */
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
  }).catch(() => undefined); // every error means an invalid token
  const claims = verified?.payload;
  if (!Claims.Check(claims)) return undefined;
  return { subject: claims.sub, audience: claims.aud, entity: claims.context, access: claims.access };
}

/** The `typ` of refresh tokens, so that neither kind is accepted as the other. */
const refreshType = "refresh+jwt";

/**
 * Signs a refresh token in place of the credentials of its request. When these are revoked, it is no longer valid.
 * @param key the key of {@link signRegistryToken}
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

/** Reads the holder of a refresh token; undefined if its signature or audience is wrong, or it is not valid now. */
export async function readRefreshToken(
  jwt: string,
  { key, audience, now }: { readonly key: Uint8Array; readonly audience: string; readonly now: number },
): Promise<TokenEntity | undefined> {
  const checks = { algorithms: ["HS256"], typ: refreshType, issuer, audience, requiredClaims: ["exp"] };
  const options = { ...checks, currentDate: new Date(now), clockTolerance: skewSeconds };
  const claims = (await jwtVerify(jwt, key, options).catch(() => undefined))?.payload;
  return RefreshClaims.Check(claims) ? claims.context : undefined;
}
