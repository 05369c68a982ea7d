import { describe, expect, it } from "vitest";
import { customerNetwork, nestedNetworks } from "./nested-networks.ts";

describe("nestedNetworks", () => {
  it.each([
    ["192.0.2.7", ["192.0.0.0/16", "192.0.2.0/24", "192.0.2.7/32"]],
    ["::ffff:192.0.2.7", ["192.0.0.0/16", "192.0.2.0/24", "192.0.2.7/32"]],
    ["2001:db8:1:203::9", ["2001:db8::/32", "2001:db8:1::/48", "2001:db8:1:200::/56", "2001:db8:1:203::/64"]],
    ["2001:DB8:0:0:1::1", ["2001:db8::/32", "2001:db8::/48", "2001:db8::/56", "2001:db8::/64"]],
    ["fe80::1%eth0", ["fe80::/32", "fe80::/48", "fe80::/56", "fe80::/64"]],
    ["a socket", ["a socket"]],
  ])("of %s are %j", (address, networks) => {
    expect(nestedNetworks(address)).toEqual(networks);
  });
});

describe("customerNetwork", () => {
  it.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:203::9", "2001:db8:1:200::/56"],
    ["a socket", "a socket"],
  ])("of %s is %s", (address, network) => {
    expect(customerNetwork(address)).toBe(network);
  });
});
