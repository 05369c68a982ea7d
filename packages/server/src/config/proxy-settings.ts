import { hostProxy, type ProxySettings } from "@plimsoll/scanner";
import { UsageError } from "../cli/exit-code.ts";
import { type SettingKind, text } from "./setting-kind.ts";

/** A proxy's address, which may have a user's name and password in it. */
const proxyAddress: SettingKind<string> = {
  fromText: (given) => (/^https?:\/\//.test(given) && URL.canParse(given) ? given : undefined),
  fromJson: (json) => (typeof json === "string" ? proxyAddress.fromText(json) : undefined),
  expected: "http://HOST:PORT of a proxy",
  isSecret: true,
};

/** The settings of proxies. They win over the variables that other programs know too, `HTTP_PROXY` and the like. */
export const proxySettingKinds = {
  /** For http addresses. */
  httpProxy: proxyAddress,
  /** For https addresses; that of http where absent. */
  httpsProxy: proxyAddress,
  /** Hosts that are reached without a proxy, separated by commas: `host`, `.domain`, `host:port`. */
  noProxy: text,
} as const;

/** The proxies in force: those of the settings, then those of the environment. @throws UsageError */
export function proxyOf(
  { httpProxy, httpsProxy, noProxy }: ProxySettings,
  variables: Readonly<Record<string, string | undefined>>,
): { readonly proxy?: ProxySettings } {
  const proxy = hostProxy({
    variables: {
      ...variables,
      ...(httpProxy !== undefined && { http_proxy: httpProxy }),
      ...(httpsProxy !== undefined && { https_proxy: httpsProxy }),
      ...(noProxy !== undefined && { no_proxy: noProxy }),
    },
  });
  if (proxy === undefined) return {};
  const { httpProxy: http, httpsProxy: https, ...others } = proxy;
  return {
    proxy: {
      ...others,
      ...(http !== undefined && { httpProxy: withScheme("HTTP_PROXY", http) }),
      ...(https !== undefined && { httpsProxy: withScheme("HTTPS_PROXY", https) }),
    },
  };
}

/** Other programs take `HOST:PORT` from the environment too. */
function withScheme(name: string, address: string): string {
  const found = proxyAddress.fromText(address.includes("://") ? address : `http://${address}`);
  if (found === undefined) throw new UsageError(`${name}: expected ${proxyAddress.expected}`);
  return found;
}
