import type { ImageReference } from "@plimsoll/core/image";

/** A credential for a registry. It is never part of a message or a log. */
export type Credential =
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  /** An OAuth refresh token, exchanged for tokens at the registry's token endpoint. */
  | { readonly kind: "identity-token"; readonly token: string }
  /** A bearer token, sent to the registry unchanged. */
  | { readonly kind: "registry-token"; readonly token: string };

/** Finds the credential for a registry. */
export interface CredentialSource {
  /**
   * The credential for a repository of a registry; undefined for an anonymous request.
   * @throws ScanError `unauthorized` if a configured credential cannot be read
   */
  find(name: Pick<ImageReference, "registry" | "repository">): Promise<Credential | undefined>;
}

/** No credential: requests are anonymous. */
export const anonymous: CredentialSource = { find: async () => undefined };

/**
 * A fixed credential for one registry; other registries get none.
 * @example
 * const credentials = fixedCredential("registry.example.com", { kind: "basic", username: "ci", password: "secret" });
 * const source = fromRegistry("registry.example.com/app:1", { credentials });
 */
export function fixedCredential(registry: string, credential: Credential): CredentialSource {
  return { find: async (name) => (name.registry === registry ? credential : undefined) };
}
