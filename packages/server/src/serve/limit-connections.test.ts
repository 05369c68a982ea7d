import { describe, expect, it } from "vitest";
import type { CutReason } from "./http2-budget.ts";
import { shunnedNetworks } from "./limit-connections.ts";

function watched() {
  const time = { now: 0 };
  const networks = shunnedNetworks(() => time.now);
  const cut = (address: string, reason: CutReason = "requests_cancelled") => networks.note({ address, reason });
  /** How long an address is refused from now on. */
  const waitMs = (address: string) => {
    const from = time.now;
    while (networks.isShunned(address)) time.now += 500;
    return time.now - from;
  };
  return { time, networks, cut, waitMs };
}

describe("shunnedNetworks", () => {
  it("refuses a network twice as long each time, at most a minute", () => {
    const { cut, waitMs } = watched();

    const waits = Array.from({ length: 9 }, () => {
      cut("192.0.2.1");
      return waitMs("192.0.2.1");
    });

    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000));
  });

  it("counts connections that were open at the same time as one", () => {
    const { cut, waitMs } = watched();

    for (let count = 0; count < 8; count += 1) cut("192.0.2.1");

    expect(waitMs("192.0.2.1")).toBe(1_000);
  });

  it("forgets a network after ten minutes without a cut", () => {
    const { time, cut, waitMs } = watched();
    cut("192.0.2.1");
    cut("192.0.2.1");

    time.now += 600_000;
    cut("192.0.2.1");

    expect(waitMs("192.0.2.1")).toBe(1_000);
  });

  it("bears some protocol errors of a network", () => {
    const { networks, cut } = watched();

    const shunned = Array.from({ length: 11 }, () => {
      cut("192.0.2.1", "protocol_errors");
      return networks.isShunned("192.0.2.1");
    });

    expect(shunned).toEqual([...Array.from({ length: 10 }, () => false), true]);
  });

  it.each([
    ["192.0.2.1", "::ffff:192.0.2.1", true],
    ["192.0.2.1", "192.0.2.2", false],
    ["2001:db8::1", "2001:db8:0:0:ffff::2", true],
    ["2001:db8::1", "2001:db8:0:1::1", false],
  ])("after a cut of %s, refuses %s: %s", (address, other, expected) => {
    const { networks, cut } = watched();

    cut(address);

    expect(networks.isShunned(other)).toBe(expected);
  });

  it("remembers a limited number of networks", () => {
    const { networks, cut } = watched();

    for (let count = 0; count <= 10_000; count += 1) cut(`10.0.${count >> 8}.${count & 255}`);

    expect([networks.isShunned("10.0.0.0"), networks.isShunned("10.0.0.1")]).toEqual([false, true]);
  });
});
