import type { Sealer } from "../../crypto/secrets.ts";
import type { UpstreamAddress } from "../../ports/upstreams.ts";
import type { StoredConfig } from "./external-config.ts";
import { parseExternalReference } from "./external-reference.ts";
import type { MirrorRow } from "./queries.ts";

type UpstreamColumns = Pick<
  MirrorRow,
  "external_reference" | "external_username" | "external_password_sealed" | "external_config"
>;

/** The address of the other registry of a mirror, with the credentials in plain text. @throws RegistryError `invalid_request` */
export function upstreamAddress(
  secrets: Sealer,
  mirror: UpstreamColumns,
): UpstreamAddress & { readonly hostname: string } {
  const { external_reference, external_username: username, external_password_sealed: sealed } = mirror;
  const config = JSON.parse(mirror.external_config) as StoredConfig;
  const { host, hostname, path } = parseExternalReference("external_reference", external_reference);
  const proxyOf = (name: "http_proxy" | "https_proxy") => {
    const hidden = config.proxy_sealed?.[name];
    return hidden === undefined ? config.proxy?.[name] : secrets.open(hidden);
  };
  const [httpProxy, httpsProxy, noProxy] = [proxyOf("http_proxy"), proxyOf("https_proxy"), config.proxy?.no_proxy];
  const hasProxy = httpProxy !== undefined || httpsProxy !== undefined;
  return {
    ...{ host, hostname, path, verifiesTls: config.verify_tls !== false },
    login: username !== null ? { username, password: sealed === null ? "" : (secrets.open(sealed) ?? "") } : undefined,
    proxy: hasProxy ? { httpProxy, httpsProxy, noProxy } : undefined,
  };
}
