import { BlockList, isIP } from "node:net";

/** Decides which addresses may be connected to on behalf of a client. */
export interface AddressGuard {
  /** @param address an IPv4 or IPv6 address; any other text is not permitted */
  permits(address: string): boolean;
}

/**
 * Networks outside the public internet: this host, private networks, links, multicast, reserved and test networks.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml
 */
const internalV4: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * The same for IPv6, and all forms that contain an IPv4 address, except NAT64.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/iana-ipv6-special-registry.xhtml
 */
const internalV6: readonly string[] = [
  "::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

/** A NAT64 address has an IPv4 address in its last 32 bits, and is internal if that one is. */
const nat64 = internalV4.map((network) => {
  const [address, bits] = network.split("/");
  return `64:ff9b::${address}/${96 + Number(bits)}`;
});

/**
 * Creates a guard that permits the public internet.
 * @param allowed addresses and networks that are permitted although they are internal: `10.1.2.3`, `10.0.0.0/8`, `::1`
 * @throws RangeError if one of them is malformed
 * @example
 * const guard = addressGuard(["10.1.0.0/16"]);
 * await using outbound = openOutbound({ policy: { guard }, connectMs: 10_000, idleMs: 30_000 });
 */
export function addressGuard(allowed: readonly string[] = []): AddressGuard {
  const exceptions = networkList(allowed);
  const internal = networkList([...internalV4, ...internalV6, ...nat64]);
  return {
    permits(address) {
      const [plain = ""] = address.split("%", 1); // without the zone, which names a link of this host
      const version = isIP(plain);
      if (version === 0) return false;
      const family = version === 4 ? "ipv4" : "ipv6";
      return exceptions.check(plain, family) || !internal.check(plain, family);
    },
  };
}

/** `BlockList` checks an IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) as the IPv4 address. */
function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix, ...rest] = network.split("/");
    const version = isIP(address);
    const widest = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? widest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || rest.length > 0 || !(bits <= widest)) {
      throw new RangeError(`expected an IP address or a network such as 10.0.0.0/8, found ${JSON.stringify(network)}`);
    }
    list.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
