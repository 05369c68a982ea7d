import ipaddr from "ipaddr.js";

/**
 * The networks that usually have one owner, by the length of their prefix, widest first. IPv4: a provider, a company, an address. IPv6: a
 * provider, and what providers assign to a site (a /48 or a /56) and to a link (a /64).
 * @see https://www.rfc-editor.org/rfc/rfc6177
 */
const prefixLengths = { ipv4: [16, 24, 32], ipv6: [32, 48, 56, 64] } as const;

/**
 * The networks that an address belongs to, widest first. An IPv4 address that is mapped into IPv6 is taken as IPv4. A text that is no
 * address is its own and only network.
 * @example nestedNetworks("::ffff:192.0.2.7") // ["192.0.0.0/16", "192.0.2.0/24", "192.0.2.7/32"]
 * @example nestedNetworks("2001:db8:1:203::9") // ["2001:db8::/32", "2001:db8:1::/48", "2001:db8:1:200::/56", "2001:db8:1:203::/64"]
 */
export function nestedNetworks(address: string): readonly string[] {
  if (!ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  return prefixLengths[parsed.kind()].map((bits) => {
    const kept = bytes.map((byte, at) => byte & (0xff00 >> Math.min(Math.max(bits - 8 * at, 0), 8)) & 0xff);
    return `${ipaddr.fromByteArray(kept).toString()}/${bits}`;
  });
}

/**
 * The network of one customer, which keeps its addresses for long although each of them may change: the /24 of an IPv4 address, the /56
 * of an IPv6 address.
 */
export function customerNetwork(address: string): string {
  return nestedNetworks(address).at(-2) ?? address;
}
