import { hostProxy, type ProxySettings } from "@plimsoll/scanner";
import { UsageError } from "../cli/exit-code.ts";
import { proxyAddress } from "./setting-kind.ts";

/** The proxies to use: those of the settings, then those of the environment. @throws UsageError */
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
      httpProxy: http === undefined ? undefined : withScheme("HTTP_PROXY", http),
      httpsProxy: https === undefined ? undefined : withScheme("HTTPS_PROXY", https),
    },
  };
}

/** Other programs accept `HOST:PORT` in the environment, so it is accepted here, too. */
function withScheme(name: string, address: string): string {
  const found = proxyAddress.fromText(address.includes("://") ? address : `http://${address}`);
  if (found === undefined) throw new UsageError(`${name}: expected ${proxyAddress.expected}`);
  return found;
}
