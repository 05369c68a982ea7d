import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIPv6 } from "node:net";

/** Who asks, as far as a connection tells. */
export interface Asker {
  readonly address: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Proxies say with one of these whom they ask for. */
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"] as const;

/** Whether a program of this machine asks for itself: over the loopback interface, and for nobody else. */
export function isFromHere({ address = "", headers }: Asker): boolean {
  if (forwarding.some((name) => headers[name] !== undefined)) return false;
  return loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
