import { withoutUndefined } from "@plimsoll/core/internal";
import type { Sealer } from "../../crypto/secrets.ts";
import { invalidRequest } from "../../errors.ts";
import { pick } from "../../values/pick.ts";

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

/** An {@link ExternalRegistryConfig} as clients see it: the credentials in proxy addresses are hidden. */
export interface ShownConfig extends ExternalRegistryConfig {
  readonly proxy?: Readonly<Partial<Record<keyof ExternalProxy, string>>>;
}

/** An {@link ExternalRegistryConfig} as it is stored. */
export interface StoredConfig extends ShownConfig {
  /** The whole addresses that have credentials, sealed. */
  readonly proxy_sealed?: Readonly<Partial<Record<ProxyAddress, string>>>;
}

/** An address whose credentials, if it has any, are replaced by asterisks: for clients and the usage log. */
export function hideCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1********@");
}

/** A stored configuration as clients see it. Rows from before sealing may hold credentials, so they are hidden again. */
export function shownConfig({ proxy_sealed: _, proxy, ...flags }: StoredConfig): ShownConfig {
  if (proxy === undefined) return flags;
  const addresses = Object.entries(pick(proxy, proxyAddresses));
  const hidden = addresses.map(([name, address]) => [name, hideCredentials(address)] as const);
  return { ...flags, proxy: { ...proxy, ...Object.fromEntries(hidden) } };
}

/**
 * Merges the configuration of a request into the stored one. Absent members stay as they are, and so does an address that is sent as
 * it was shown. Null removes a member.
 * @throws RegistryError `invalid_request` for an address with hidden credentials that is not the stored one
 */
export function mergeConfig(secrets: Sealer, stored: StoredConfig, given: ExternalRegistryConfig): StoredConfig {
  const merged = proxyAddresses.map((name) => [name, mergeAddress(secrets, name, { stored, given })] as const);
  const { no_proxy = stored.proxy?.no_proxy } = given.proxy ?? {};
  const shown = present([...merged.map(([name, { shown }]) => [name, shown] as const), ["no_proxy", no_proxy]]);
  const sealed = present(merged.map(([name, address]) => [name, address.sealed]));
  return {
    ...pick({ ...stored, ...withoutUndefined(given) }, ["verify_tls", "unsigned_images"]),
    proxy: shown,
    proxy_sealed: sealed,
  };
}

/** An address as it is stored. Without an address both are undefined; without credentials `sealed` is. */
interface StoredAddress {
  readonly shown: string | undefined;
  readonly sealed: string | undefined;
}

function mergeAddress(
  secrets: Sealer,
  name: ProxyAddress,
  { stored, given }: { readonly stored: StoredConfig; readonly given: ExternalRegistryConfig },
): StoredAddress {
  const [current, next] = [stored.proxy?.[name], given.proxy?.[name]];
  if (next === null) return { shown: undefined, sealed: undefined };
  if (next !== undefined && (current === undefined || next !== hideCredentials(current))) {
    return sealAddress(secrets, name, next);
  }
  const sealed = stored.proxy_sealed?.[name];
  return current === undefined || sealed !== undefined
    ? { shown: current, sealed }
    : sealAddress(secrets, name, current);
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
