import { X509Certificate } from "node:crypto";
import { openOutbound, type ProxySettings } from "@plimsoll/outbound";
import type { Directory, IdentityProvider } from "@plimsoll/registry";
import { ldapDirectory } from "@plimsoll/registry-adapters/ldap";
import { oidcProvider } from "@plimsoll/registry-adapters/oidc";
import { UsageError } from "../cli/exit-code.ts";
import type { OidcProviderSettings } from "../config/oidc-settings.ts";
import { readGivenFile } from "../config/read-given-file.ts";
import type { RegistryServiceSettings } from "../config/registry-settings.ts";

const connectMs = 10_000;
const idleMs = 30_000;

/** Opens the identity providers of the settings. They may have internal addresses, because the operator names them. @throws UsageError */
export async function openIdentityProviders(
  settings: readonly OidcProviderSettings[],
  { proxy }: { readonly proxy?: ProxySettings | undefined },
  resources: AsyncDisposableStack,
): Promise<readonly IdentityProvider[]> {
  if (settings.length === 0) return [];
  const outbound = resources.use(openOutbound({ policy: "trusted", proxy, connectMs, idleMs }));
  return Promise.all(settings.map(async (each) => oidcProvider(await withSecret(each), { ask: outbound.fetch })));
}

async function withSecret({ clientSecretFile, clientSecret, ...options }: OidcProviderSettings) {
  const secret = clientSecretFile === undefined ? clientSecret : await readSecret(clientSecretFile);
  return { ...options, clientSecret: secret };
}

async function readSecret(file: string): Promise<string> {
  const secret = (await readGivenFile("clientSecretFile", file)).trim();
  if (secret === "") throw new UsageError(`clientSecretFile: ${file} is empty`);
  return secret;
}

/** Opens the directory of the settings. @throws UsageError if the file of certificate authorities cannot be read */
export async function openDirectory({
  caFile,
  ...options
}: NonNullable<RegistryServiceSettings["ldap"]>): Promise<Directory> {
  return ldapDirectory({ ...options, authorities: caFile === undefined ? undefined : await readCertificates(caFile) });
}

async function readCertificates(file: string): Promise<string> {
  const text = await readGivenFile("ldapCa", file);
  try {
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw new UsageError(`ldapCa: ${file}: expected certificates in PEM`, { cause: error });
  }
}
