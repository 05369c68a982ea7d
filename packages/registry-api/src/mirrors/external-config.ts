import type { Sealer } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import { pick } from "../values/pick.ts";

/** How the other registry of a mirror is reached. */
export interface ExternalRegistryConfig {
  readonly verify_tls?: boolean;
  readonly unsigned_images?: boolean;
  readonly proxy?: ExternalProxy;
}

/** The proxy through which the other registry is reached; null: no proxy. */
export interface ExternalProxy {
  readonly http_proxy?: string | null;
  readonly https_proxy?: string | null;
  readonly no_proxy?: string | null;
}

/** The members of a proxy that may hold credentials. */
export const proxyAddresses = ["http_proxy", "https_proxy"] as const;

type ProxyAddress = (typeof proxyAddresses)[number];

/** How the other registry is reached, as it is shown: credentials in addresses of proxies are hidden. */
export interface ShownConfig extends ExternalRegistryConfig {
  readonly proxy?: Readonly<Partial<Record<keyof ExternalProxy, string>>>;
}

/** How the other registry is reached, as it is stored. */
export interface StoredConfig extends ShownConfig {
  /** Each address that has credentials, sealed as a whole. */
  readonly proxy_sealed?: Readonly<Partial<Record<ProxyAddress, string>>>;
}

/** An address with asterisks for its credentials, where it has any: what clients and the usage log are told. */
export function hideCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1********@");
}

/** A stored configuration as clients see it. A row may be older than sealing, so credentials are hidden once more. */
export function shownConfig({ proxy_sealed: _, proxy, ...flags }: StoredConfig): ShownConfig {
  if (proxy === undefined) return flags;
  const addresses = Object.entries(pick(proxy, proxyAddresses));
  const hidden = addresses.map(([name, address]) => [name, hideCredentials(address)] as const);
  return { ...flags, proxy: { ...proxy, ...Object.fromEntries(hidden) } };
}

/**
 * How the other registry is reached from now on: what is not named stays as it is, and so does an address that comes back as it
 * was shown. What is null is taken away.
 * @throws RegistryError `invalid_request` for any other address with hidden credentials
 */
export function mergeConfig(secrets: Sealer, stored: StoredConfig, given: ExternalRegistryConfig): StoredConfig {
  const merged = proxyAddresses.map((name) => [name, mergeAddress(secrets, name, { stored, given })] as const);
  const { no_proxy = stored.proxy?.no_proxy } = given.proxy ?? {};
  const shown = present([...merged.map(([name, { shown }]) => [name, shown] as const), ["no_proxy", no_proxy]]);
  const sealed = present(merged.map(([name, address]) => [name, address.sealed]));
  return {
    ...pick({ ...stored, ...given }, ["verify_tls", "unsigned_images"]),
    ...(shown && { proxy: shown }),
    ...(sealed && { proxy_sealed: sealed }),
  };
}

/** An address as it is stored; both are undefined where there is none, the second where it has no credentials. */
interface StoredAddress {
  readonly shown: string | undefined;
  readonly sealed: string | undefined;
}

function mergeAddress(
  secrets: Sealer,
  name: ProxyAddress,
  { stored, given }: { readonly stored: StoredConfig; readonly given: ExternalRegistryConfig },
): StoredAddress {
  const [kept, asked] = [stored.proxy?.[name], given.proxy?.[name]];
  if (asked === null) return { shown: undefined, sealed: undefined };
  if (asked !== undefined && (kept === undefined || asked !== hideCredentials(kept))) {
    return sealAddress(secrets, name, asked);
  }
  const sealed = stored.proxy_sealed?.[name];
  return kept === undefined || sealed !== undefined ? { shown: kept, sealed } : sealAddress(secrets, name, kept);
}

function sealAddress(secrets: Sealer, name: ProxyAddress, address: string): StoredAddress {
  const shown = hideCredentials(address);
  if (!address.includes("@")) return { shown, sealed: undefined };
  if (shown !== address) return { shown, sealed: secrets.seal(address) };
  throw invalidRequest(
    `${name}: the credentials are hidden: give them whole with an address that is not the one stored`,
  );
}

/** The members that have a value, if any has. */
function present(
  members: readonly (readonly [string, string | null | undefined])[],
): Record<string, string> | undefined {
  const given = members.filter((member) => member[1] != null);
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Record<string, string>);
}
