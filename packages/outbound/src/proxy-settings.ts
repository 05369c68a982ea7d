/** Proxies in the form of the environment variables of the same names. */
export interface ProxySettings {
  /** For http addresses. */
  readonly httpProxy?: string;
  /** For https addresses; by default `httpProxy`. */
  readonly httpsProxy?: string;
  /** Hosts without a proxy, separated by commas, besides this machine. */
  readonly noProxy?: string;
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
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) };
}
