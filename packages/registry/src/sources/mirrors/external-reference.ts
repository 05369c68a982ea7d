import type { Sealer } from "../../crypto/secrets.ts";
import { invalidRequest } from "../../errors.ts";
import type { UpstreamAddress } from "../../ports/upstreams.ts";
import type { StoredConfig } from "./external-config.ts";
import type { MirrorRow } from "./queries.ts";

/** The location of an image repository in another registry. */
export interface ExternalReference {
  /** With the port where one is given. */
  readonly host: string;
  readonly hostname: string;
  /** May be empty where only a registry is named. */
  readonly path: string;
}

const hostPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i;

/**
 * Parses `host[:port]/path`. Schemes, users, queries and escapes are refused: programs read them differently, so a request could go
 * to another host than the one that was checked.
 * @param name the field, for the message
 * @throws RegistryError `invalid_request`
 */
export function parseExternalReference(name: string, text: string): ExternalReference {
  const malformed = (why: string) => invalidRequest(`${name}: expected host/path, ${why}`);
  if (text.includes("://")) throw malformed("found a scheme");
  if (/[\s?#\\%@]/.test(text)) throw malformed("found white space or one of ? # \\ % @");
  const [host = "", ...segments] = text.split("/");
  const match = hostPattern.exec(host);
  if (match === null) throw malformed("found no host");
  const [, port] = match;
  if (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536)) throw malformed(`found the port ${port}`);
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw malformed("found an empty segment or dots");
  }
  return { host, hostname: port === undefined ? host : host.slice(0, -port.length - 1), path: segments.join("/") };
}

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
