import { ScanError } from "@plimsoll/core";
import type { HostTls } from "@plimsoll/outbound";
import type { EngineAddress } from "./engine-address.ts";

/**
 * Parses the address of a container engine.
 *
 *     unix://PATH | tcp://HOST[:PORT] | http://HOST[:PORT] | https://HOST[:PORT]
 *
 * @param variable the source of the text, for messages
 * @param tls TLS settings for a host; undefined: no TLS, unless the address is `https`
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
  return new ScanError(
    "unsupported_source",
    `${expected}; or save the image to an archive on that machine and scan the archive`,
  );
}
