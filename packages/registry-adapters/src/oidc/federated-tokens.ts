import { RegistryError } from "@plimsoll/registry/errors";
import { isIssuerAddress } from "@plimsoll/registry/identity/robots/federation";
import type { FederatedTokens } from "@plimsoll/registry/ports/identities";
import { errors, jwtVerify } from "jose";
import { type IssuersOptions, openIssuers, signingAlgorithms } from "./issuers.ts";

/** By how much the clocks of the issuer and of this machine may differ. */
const skewSeconds = 30;

/**
 * Verifies tokens of CI systems with the keys of their issuers.
 * @param asking must refuse internal addresses: tenants choose the issuers
 * @example
 * const outbound = openOutbound({ policy: { guard: addressGuard() }, connectMs: 10_000, idleMs: 30_000 });
 * const tokens = federatedTokens({ ask: (url, init) => outbound.fetch(url, init) });
 */
export function federatedTokens(asking: IssuersOptions): FederatedTokens {
  const issuers = openIssuers(asking);
  return {
    async verify(token, { issuer, subject, audiences, now }) {
      if (!isIssuerAddress(issuer)) {
        throw new RegistryError("invalid_token", `The issuer ${issuer} of the robot has no TLS: set one with https://`);
      }
      try {
        const { keys } = await issuers.find(issuer);
        await jwtVerify(token, keys, {
          issuer,
          subject,
          audience: [...audiences],
          algorithms: signingAlgorithms,
          clockTolerance: skewSeconds,
          currentDate: new Date(now),
          requiredClaims: ["exp", "iat"],
        });
      } catch (cause) {
        throw new RegistryError("invalid_token", problemOf(cause, audiences), { cause });
      }
    },
  };
}

function problemOf(cause: unknown, audiences: readonly string[]): string {
  if (cause instanceof errors.JWTExpired) return "The token has expired: ask the CI system for a new one";
  if (cause instanceof errors.JWTClaimValidationFailed) {
    if (cause.claim === "aud")
      return `The token is not for this registry: ask for one with the audience ${audiences.join(" or ")}`;
    return `The claim ${cause.claim} of the token cannot be accepted: ${cause.reason}`;
  }
  if (cause instanceof errors.JWKSNoMatchingKey) return "The token is signed by no key that its issuer publishes";
  if (cause instanceof errors.JWSSignatureVerificationFailed) return "The signature of the token is wrong";
  if (cause instanceof errors.JOSEAlgNotAllowed) return "The token is signed by an algorithm that is not accepted";
  if (
    cause instanceof errors.JWSInvalid ||
    cause instanceof errors.JWTInvalid ||
    cause instanceof errors.JOSENotSupported
  )
    return "The token has a header or a form that is not accepted";
  return "The keys of the token's issuer could not be read: its address must be public and describe itself by OpenID Connect";
}
