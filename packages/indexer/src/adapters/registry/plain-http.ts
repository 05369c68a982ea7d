/** The hosts for which plain HTTP is allowed. */
export interface PlainHttpRule {
  /** Hosts with or without port; for these, certificates are not verified either. */
  readonly insecure: readonly string[];
}

/** Whether plain HTTP to a host (with or without port) is allowed: it is this machine, or the user listed it. */
export function mayUsePlainHttp(host: string, rule: PlainHttpRule): boolean {
  return isLoopback(host) || isInsecure(host, rule);
}

/** Whether the user listed the host, so that its certificate is not verified. */
export function isInsecure(host: string, rule: PlainHttpRule): boolean {
  return rule.insecure.some((listed) => listed === host || listed === hostName(host));
}

function isLoopback(host: string): boolean {
  const name = hostName(host);
  return name === "localhost" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, "");
}
