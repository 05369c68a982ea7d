/** Proxies in the form of the environment variables of the same names. */
export interface ProxySettings {
  /** For http addresses. */
  readonly httpProxy?: string;
  /** For https addresses; by default `httpProxy`. */
  readonly httpsProxy?: string;
  /** Hosts without a proxy, separated by commas, besides this machine. */
  readonly noProxy?: string;
}

/**
 * Whether `noProxy` names a host: by its name, by a domain that it is in (`example.com`, `.example.com`; `*.example.com` without the domain itself),
 * each for one port where it names one, or by `*`.
 * @example
 * isDirect({ hostname: "git.example.com", port: 443 }, "example.com"); // true
 */
export function isDirect(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  noProxy = "",
): boolean {
  const host = hostname.toLowerCase();
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = "", onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === "" || (onlyPort !== undefined && Number(onlyPort) !== port)) return false;
      const domain = name.replace(/^\*?\./, "");
      return name === "*" || host.endsWith(`.${domain}`) || (!name.startsWith("*.") && host === domain);
    });
}

/** Environment variables by name. */
export interface EnvironmentVariables {
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the proxies of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case; undefined without a proxy.
 * @example
 * const proxy = hostProxy({ variables: { HTTPS_PROXY: "http://proxy.example:3128" } });
 */
export function hostProxy({ variables }: EnvironmentVariables): ProxySettings | undefined {
  const httpProxy = variables.http_proxy || variables.HTTP_PROXY;
  const httpsProxy = variables.https_proxy || variables.HTTPS_PROXY;
  const noProxy = variables.no_proxy || variables.NO_PROXY;
  if (!httpProxy && !httpsProxy) return undefined;
  return { httpProxy: httpProxy || undefined, httpsProxy: httpsProxy || undefined, noProxy: noProxy || undefined };
}
