/** Signing in with OpenID Connect, and tokens of CI systems. */
export type { Ask } from "./oidc/bounded-fetch.ts";
export { federatedTokens } from "./oidc/federated-tokens.ts";
export type { IssuersOptions } from "./oidc/issuers.ts";
export type { OidcClaimRules } from "./oidc/oidc-claims.ts";
export { type OidcOptions, oidcProvider } from "./oidc/oidc-provider.ts";
