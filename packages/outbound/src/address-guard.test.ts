import { describe, expect, it } from "vitest";
import { addressGuard } from "./address-guard.ts";

const internal = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.170 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:a00:1 ::ffff:169.254.169.254 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe
  64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1`;

const external = `
  1.1.1.1 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 172.15.0.1 172.32.0.1 192.167.0.1
  223.255.255.255 2606:4700:4700::1111 2a00:1450:4001::1 ::ffff:1.1.1.1 64:ff9b::1.1.1.1`;

const listed = (text: string) => text.trim().split(/\s+/);

describe("addressGuard", () => {
  it.each(listed(internal))("does not permit %s", (address) => {
    expect(addressGuard().permits(address)).toBe(false);
  });

  it.each(listed(external))("permits %s", (address) => {
    expect(addressGuard().permits(address)).toBe(true);
  });

  it.each(["", "localhost", "1.1.1", "0x7f.1", "2130706433", "1.1.1.1:80", "[::1]"])("does not permit %j", (text) => {
    expect(addressGuard(["0.0.0.0/0", "::/0"]).permits(text)).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ["10.1.0.0/16", "10.1.2.3", true],
    ["10.1.0.0/16", "10.2.0.1", false],
    ["10.1.0.0/16", "::ffff:10.1.2.3", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["127.0.0.1", "::1", false],
    ["::1", "::1", true],
    ["fd00::/8", "fd12::1", true],
    ["0.0.0.0/0", "169.254.169.254", true],
  ])("with %s allowed, %s is permitted: %s", (allowed, address, permitted) => {
    expect(addressGuard([allowed]).permits(address)).toBe(permitted);
  });

  it.each(["", "host", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0/8"])(
    "rejects %j as an allowed network",
    (network) => {
      expect(() => addressGuard([network])).toThrow(RangeError);
    },
  );
});
