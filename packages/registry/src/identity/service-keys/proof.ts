import { type JWK, jwtVerify } from "jose";
import { RegistryError } from "../../errors.ts";
import { baseUrl, type RegistrySettings } from "../../settings.ts";

/** The greatest age of a proof. */
const maxAgeSeconds = 300;

/** How far the clock of the service may differ. */
const skewSeconds = 30;

/** The proof of a service that it may send a request: a JWT that it has signed. */
export interface ServiceProof {
  readonly jwt: string;
  /** The id of the key in its header; absent if it has none. */
  readonly signerKid?: string;
}

/** Whether a text can be the name of a service key. */
export function isKid(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9_-]{1,255}$/.test(text);
}

/** Checks the signature, issuer, audience and times of a proof. @throws RegistryError `insufficient_scope` */
export async function checkServiceProof(
  jwt: string,
  jwk: JWK,
  { service, settings, now }: { readonly service: string; readonly settings: RegistrySettings; readonly now: number },
): Promise<void> {
  const options = {
    algorithms: ["RS256"],
    issuer: service,
    audience: [settings.host, baseUrl(settings)],
    currentDate: new Date(now),
    clockTolerance: skewSeconds,
    maxTokenAge: maxAgeSeconds,
    requiredClaims: ["exp"],
  };
  await jwtVerify(jwt, jwk, options).catch(() => {
    throw proofRefused(); // without the reason, see proofRefused
  });
}

/** The same error for every refused proof, so that it does not reveal which keys exist. */
export function proofRefused(): RegistryError {
  return new RegistryError("insufficient_scope", "The key that signed the JWT may not do this");
}
