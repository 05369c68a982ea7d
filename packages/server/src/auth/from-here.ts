import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** The client of a request, as far as its connection and headers tell. */
export interface Asker {
  /** Of the connection. */
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

/** Proxies say with one of these for whom they ask. */
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"] as const;

/**
 * Whether a program of this machine asks for itself. A web page can make a browser of this machine ask: it names another
 * `Origin`, or a `Host` of its own that leads to this machine (DNS rebinding).
 */
export function isFromHere({ address = "", headers }: Asker): boolean {
  if (!isLoopback(address) || forwarding.some((name) => headers[name] !== undefined)) return false;
  return namesThisMachine(headers);
}

/** Whether a request was sent to this machine by its own name, and by no web page of another host. */
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
