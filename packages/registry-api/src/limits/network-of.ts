import ipaddr from "ipaddr.js";

/** How many groups of 16 bits of an IPv6 address identify a customer of a provider. */
const customerGroups = 4;

/**
 * The network under which limits count an address. For IPv4 (also mapped into IPv6) it is the address itself; for IPv6 it is
 * the /64 network, all of whose addresses usually belong to one customer.
 * @example networkOf("::ffff:192.0.2.7") // "192.0.2.7"
 * @example networkOf("2001:db8::1") // "2001:db8:0:0::/64"
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toNormalizedString().split(":").slice(0, customerGroups).join(":")}::/64`;
}
