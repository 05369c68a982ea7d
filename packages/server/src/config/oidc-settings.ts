import type { OidcOptions } from "@plimsoll/registry-adapters/oidc";
import { UsageError } from "../cli/exit-code.ts";
import { nearestWord } from "./nearest-word.ts";
import { flag, isRecord, type SettingKind, text, texts } from "./setting-kind.ts";

/** An identity provider of the configuration. */
export interface OidcProviderSettings extends Omit<OidcOptions, "clientSecret"> {
  readonly clientSecret?: string;
  /** A file with the client secret, instead of the secret itself. */
  readonly clientSecretFile?: string;
}

/** The unchecked settings of identity providers; {@link oidcProvidersOf} checks them, because messages must not show secrets. */
export const oidcProviderList: SettingKind<readonly Readonly<Record<string, unknown>>[]> = {
  fromText(given) {
    try {
      return oidcProviderList.fromJson(JSON.parse(given));
    } catch {
      return undefined;
    }
  },
  fromJson: (json) => (Array.isArray(json) && json.every(isRecord) ? json : undefined),
  expected: "a list of objects, one for each identity provider",
  isSecret: true,
};

const members = {
  service: text,
  title: text,
  issuer: text,
  clientId: text,
  clientSecret: text,
  clientSecretFile: text,
  scopes: texts,
  usernameClaim: text,
  emailClaim: text,
  emailVerifiedClaim: text,
  groupsClaim: text,
  requiredGroups: texts,
  superuserGroups: texts,
  restrictedGroups: texts,
  createsAccounts: flag,
} as const satisfies Record<keyof OidcProviderSettings, SettingKind<unknown>>;

const usualScopes = ["profile", "email"];

/** The identity providers of a configuration. @throws UsageError naming the provider and the wrong member */
export function oidcProvidersOf(
  given: readonly Readonly<Record<string, unknown>>[] | undefined,
): readonly OidcProviderSettings[] {
  const providers = (given ?? []).map((each, index) => providerOf(each, `oidcProviders[${index}]`));
  const duplicate = providers.find(
    ({ service }, index) => providers.findIndex((each) => each.service === service) < index,
  );
  if (duplicate !== undefined) throw new UsageError(`oidcProviders: ${duplicate.service} occurs twice`);
  return providers;
}

function providerOf(given: Readonly<Record<string, unknown>>, where: string): OidcProviderSettings {
  for (const [name, value] of Object.entries(given)) checkMember(where, name, value);
  const { service, issuer, clientId, ...others } = given as Partial<OidcProviderSettings>;
  if (service === undefined || !/^[a-z][a-z0-9-]{0,49}$/.test(service) || service === "ldap") {
    throw new UsageError(`${where}.service: expected a name of lower-case letters, digits and -, other than ldap`);
  }
  if (clientId === undefined) throw new UsageError(`${where}.clientId is missing`);
  if (others.clientSecret !== undefined && others.clientSecretFile !== undefined) {
    throw new UsageError(`${where}: expected clientSecret or clientSecretFile, not both`);
  }
  const needGroups = (["requiredGroups", "superuserGroups", "restrictedGroups"] as const).find((name) => others[name]);
  if (needGroups !== undefined && others.groupsClaim === undefined) {
    throw new UsageError(`${where}.groupsClaim is missing: ${needGroups} needs it`);
  }
  const { title = service, scopes = usualScopes } = others;
  return { ...others, service, issuer: checkIssuer(where, issuer), clientId, title, scopes };
}

function checkMember(where: string, name: string, value: unknown): void {
  const kind: SettingKind<unknown> | undefined = Object.hasOwn(members, name)
    ? members[name as keyof typeof members]
    : undefined;
  if (kind === undefined) {
    throw new UsageError(
      `${where}: unknown member "${name}"; did you mean ${nearestWord(name, Object.keys(members))}?`,
    );
  }
  if (kind.fromJson(value) === undefined) throw new UsageError(`${where}.${name}: expected ${kind.expected}`);
}

/** An attacker who can change an issuer's responses can sign in as any user. So TLS is required, except on this machine. */
function checkIssuer(where: string, issuer: string | undefined): string {
  const url = URL.parse(issuer ?? "");
  const isLoopback = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback);
  if (issuer !== undefined && isSafe && url.search === "" && url.hash === "") return issuer;
  throw new UsageError(`${where}.issuer: expected an https:// address, exactly as in the provider's tokens`);
}
