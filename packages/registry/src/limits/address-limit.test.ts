import { describe, expect, it } from "vitest";
import { RegistryError } from "../errors.ts";
import { createAddressLimit, customerNetwork, nestedNetworks } from "./address-limit.ts";

function attempts(perHour: number) {
  const limit = createAddressLimit({ perHour });
  return (address: string, now: number) => {
    try {
      limit.countAttempt(address, now);
      return "accepted";
    } catch (error) {
      return error instanceof RegistryError ? error.retryAfterSeconds : error;
    }
  };
}

describe("createAddressLimit", () => {
  it("accepts a number of attempts an hour from one network, and says when the next is accepted", () => {
    const attempt = attempts(3);

    const answers = [0, 0, 0, 0, 1_199_999, 1_200_000, 1_200_000].map((now) => attempt("192.0.2.1", now));

    expect(answers).toEqual(["accepted", "accepted", "accepted", 1200, 1, "accepted", 1200]);
  });

  it("counts each network separately", () => {
    const attempt = attempts(1);

    const answers = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"].map((address) => attempt(address, 0));

    expect(answers).toEqual(["accepted", "accepted", "accepted", 3600]);
  });

  it.each([
    { what: "a /48", address: (n: number) => `2001:db8:1:${(n * 256).toString(16)}::1`, accepted: 16 },
    { what: "a /32", address: (n: number) => `2001:db8:${n.toString(16)}::1`, accepted: 64 },
    { what: "an IPv4 /24", address: (n: number) => `192.0.2.${n}`, accepted: 4 },
    { what: "an IPv4 /16", address: (n: number) => `192.0.${n}.1`, accepted: 16 },
  ])("accepts $accepted times the attempts of one address from $what", ({ address, accepted }) => {
    const attempt = attempts(1);

    const answers = Array.from({ length: 200 }, (_, n) => attempt(address(n), 0));

    expect(answers.filter((answer) => answer === "accepted")).toHaveLength(accepted);
  });
});

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
