import ipaddr from "ipaddr.js";

/** How much of an IPv6 address a provider gives to one customer. */
const customerGroups = 4;

/**
 * What limits count an address by: an IPv4 address itself, also where it is written as IPv6, and of an IPv6 address the
 * network of 64 bits, in which one customer has all addresses.
 * @example networkOf("::ffff:192.0.2.7") // "192.0.2.7"
 * @example networkOf("2001:db8::1") // "2001:db8:0:0::/64"
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toNormalizedString().split(":").slice(0, customerGroups).join(":")}::/64`;
}
