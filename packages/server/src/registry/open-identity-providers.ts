import { readFileSync } from "node:fs";
import { fileProblem } from "@plimsoll/core";
import { openOutbound, type ProxySettings } from "@plimsoll/outbound";
import { type IdentityProvider, oidcProvider } from "@plimsoll/registry-api";
import { UsageError } from "../cli/exit-code.ts";
import type { OidcProviderSettings } from "../config/oidc-settings.ts";

const connectMs = 10_000;
const idleMs = 30_000;

/** The identity providers of the settings. The operator names them, so that they may be at internal addresses. @throws UsageError */
export function openIdentityProviders(
  settings: readonly OidcProviderSettings[],
  { proxy }: { readonly proxy?: ProxySettings | undefined },
  resources: AsyncDisposableStack,
): readonly IdentityProvider[] {
  if (settings.length === 0) return [];
  const outbound = resources.use(openOutbound({ policy: "trusted", proxy, connectMs, idleMs }));
  return settings.map(({ clientSecretFile, ...options }) => {
    const clientSecret = clientSecretFile === undefined ? options.clientSecret : readSecret(clientSecretFile);
    return oidcProvider({ ...options, ...(clientSecret !== undefined && { clientSecret }) }, { ask: outbound.fetch });
  });
}

function readSecret(file: string): string {
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret !== "") return secret;
  } catch (error) {
    throw new UsageError(`clientSecretFile: ${fileProblem(file, "read", error)}`, { cause: error });
  }
  throw new UsageError(`clientSecretFile: ${file} is empty`);
}
