import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** The client of a request: its connection and its headers. */
export interface RequestClient {
  /** The remote address of the connection. */
  readonly address: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Whether an address is one of this machine's loopback interface. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** A proxy names its client in one of these headers. */
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"] as const;

/**
 * Whether a program on this machine sent the request for itself. A web page can make a browser on this machine send requests:
 * these have another `Origin`, or a `Host` of that page's domain that resolves to this machine (DNS rebinding).
 */
export function isLocalRequest({ address = "", headers }: RequestClient): boolean {
  if (!isLoopback(address) || forwarding.some((name) => headers[name] !== undefined)) return false;
  return namesThisMachine(headers);
}

/** Whether a request has a loopback name as its `Host`, and as its `Origin` where it has one. */
export function namesThisMachine(headers: IncomingHttpHeaders): boolean {
  const authority = headers[":authority"];
  const host = headers.host ?? (typeof authority === "string" ? authority : undefined);
  if (host !== undefined && !isLoopbackName(`http://${host}`)) return false;
  return headers.origin === undefined || isLoopbackName(headers.origin);
}

function isLoopbackName(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}
