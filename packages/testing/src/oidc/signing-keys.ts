import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

/** How tokens are signed. */
export type OidcAlgorithm = "RS256" | "ES256";

/** A fault of a token's header or signature. */
export type SignatureFault =
  | "alg none"
  | "unknown kid"
  | "HS256 with the public key"
  | "another's signature"
  | "another's key in the header"
  | "a critical header that is not known";

/** The keys of a provider, which can be rotated. */
export interface SigningKeys {
  /** The keys that the provider publishes, with the older ones. */
  readonly published: readonly object[];
  /** Signs with a new key from now on. With `forgets`, the old keys are no longer published. */
  rotate(options?: { readonly forgets?: boolean }): Promise<void>;
  sign(claims: JWTPayload, fault?: string): Promise<string>;
}

/** Creates keys with one key. */
export async function makeSigningKeys(algorithm: OidcAlgorithm): Promise<SigningKeys> {
  let count = 0;
  let published: object[] = [];
  const make = async () => {
    const kid = `key-${++count}`;
    return { kid, ...(await generateKeyPair(algorithm, { extractable: true })) };
  };
  let current = await make();
  const publish = async () => {
    published.push({ ...(await exportJWK(current.publicKey)), kid: current.kid, alg: algorithm, use: "sig" });
  };
  await publish();
  const stranger = await generateKeyPair(algorithm, { extractable: true });
  return {
    get published() {
      return published;
    },
    async rotate({ forgets = false } = {}) {
      if (forgets) published = [];
      current = await make();
      await publish();
    },
    async sign(claims, fault) {
      const { kid, privateKey, publicKey } = current;
      const header = { alg: algorithm, kid };
      switch (fault as SignatureFault | undefined) {
        case "alg none":
          return new UnsecuredJWT(claims).encode();
        case "unknown kid":
          return new SignJWT(claims).setProtectedHeader({ ...header, kid: "key-of-nobody" }).sign(privateKey);
        case "HS256 with the public key": {
          const secret = new TextEncoder().encode(await exportSPKI(publicKey));
          return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(secret);
        }
        case "another's key in the header": {
          const jwk = await exportJWK(stranger.publicKey);
          const [jku, x5u] = [`${claims.iss}/keys-of-a-stranger`, `${claims.iss}/certificate-of-a-stranger`];
          return new SignJWT(claims).setProtectedHeader({ ...header, jwk, jku, x5u }).sign(stranger.privateKey);
        }
        case "a critical header that is not known": {
          const critical = { ...header, crit: ["urn:example:limits"], "urn:example:limits": true };
          return new SignJWT(claims)
            .setProtectedHeader(critical)
            .sign(privateKey, { crit: { "urn:example:limits": true } });
        }
        case "another's signature":
          return new SignJWT(claims).setProtectedHeader(header).sign(stranger.privateKey);
        default:
          return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
      }
    },
  };
}
