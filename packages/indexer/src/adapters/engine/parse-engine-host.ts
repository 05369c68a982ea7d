import { ScanError } from "@plimsoll/core";
import type { HostTls } from "@plimsoll/outbound";
import type { EngineAddress } from "./engine-address.ts";

/**
 * The address of a container engine as its user writes it.
 *
 *     unix://PATH | tcp://HOST[:PORT] | http://HOST[:PORT] | https://HOST[:PORT]
 *
 * @param variable names where it stands, for messages
 * @param tls TLS with a host; absent: none, unless the address is `https`
 * @throws ScanError `unsupported_source`
 */
export function parseEngineHost(text: string, variable: string, tls: HostTls | undefined): EngineAddress {
  const [, kind = "", rest = ""] = /^([a-z]+):\/\/(.+)$/s.exec(text) ?? [];
  switch (kind) {
    case "unix":
      return { kind: "socket", path: rest };
    case "tcp":
    case "http":
    case "https": {
      const isSecure = tls !== undefined || kind === "https";
      const url = parseUrl(`${isSecure ? "https" : "http"}://${rest}`, text, variable);
      if (url.port === "" && kind === "tcp") url.port = isSecure ? "2376" : "2375";
      return { kind: "host", url, tls: tls ?? {} };
    }
    default:
      throw malformed(text, variable);
  }
}

function parseUrl(url: string, text: string, variable: string): URL {
  if (!URL.canParse(url)) throw malformed(text, variable);
  return new URL(url);
}

function malformed(text: string, variable: string): ScanError {
  const expected = `${variable}: expected unix://PATH or tcp://HOST:PORT, found "${text}"`;
  return new ScanError("unsupported_source", `${expected}; save the image on that machine and give the archive`);
}
