import { describe, expect, it } from "vitest";
import type { FoundPackage } from "./package.ts";
import { packagePurl } from "./package-purl.ts";

const binary = (name: string, version: string, more: Partial<FoundPackage> = {}): FoundPackage => ({
  name,
  version,
  kind: "BINARY",
  ...more,
});
const source = (name: string, version: string): FoundPackage => ({ name, version, kind: "SOURCE" });

const debian = { did: "debian", versionId: "12", versionCodeName: "bookworm" };
const rhel = { did: "rhel", versionId: "8" };

describe("packagePurl", () => {
  it.each([
    [
      "deb",
      binary("openssl", "3.0.11-1~deb12u2", { arch: "amd64", source: source("openssl", "3.0.11-1~deb12u2") }),
      debian,
      "pkg:deb/debian/openssl@3.0.11-1~deb12u2?arch=amd64&distro=debian-12",
    ],
    [
      "deb",
      binary("libssl3", "3.0.11-1~deb12u2", { arch: "amd64", source: source("openssl", "3.0.11-1~deb12u2") }),
      debian,
      "pkg:deb/debian/libssl3@3.0.11-1~deb12u2?arch=amd64&distro=debian-12&upstream=openssl",
    ],
    [
      "deb",
      binary("libattr1", "1:2.5.1-4+b1", { arch: "amd64", source: source("attr", "1:2.5.1-4") }),
      { did: "debian", versionCodeName: "trixie" },
      "pkg:deb/debian/libattr1@1:2.5.1-4%2Bb1?arch=amd64&distro=debian-trixie&upstream=attr%401:2.5.1-4",
    ],
    [
      "apk",
      binary("libcrypto3", "3.3.1-r3", { arch: "x86_64", source: source("openssl", "3.3.1-r3") }),
      { did: "alpine", versionId: "3.20.2" },
      "pkg:apk/alpine/libcrypto3@3.3.1-r3?arch=x86_64&distro=alpine-3.20.2&upstream=openssl",
    ],
    [
      "rpm",
      binary("perl-Errno", "1.28-419.el8", { arch: "x86_64", source: source("perl", "4:5.26.3-419.el8") }),
      rhel,
      "pkg:rpm/redhat/perl-Errno@1.28-419.el8?arch=x86_64&distro=rhel-8&upstream=perl-5.26.3-419.el8.src.rpm",
    ],
    [
      "rpm",
      binary("nodejs", "1:18.20.2-1.module+el8", { arch: "aarch64", module: "nodejs:18" }),
      rhel,
      "pkg:rpm/redhat/nodejs@18.20.2-1.module%2Bel8?arch=aarch64&distro=rhel-8&epoch=1&rpmmod=nodejs:18",
    ],
    ["apk", binary("busybox", "1.36.1-r29"), { did: "wolfi" }, "pkg:apk/wolfi/busybox@1.36.1-r29?distro=wolfi"],
    ["deb", binary("tool", "1:1.0"), undefined, "pkg:deb/tool@1:1.0"],
  ] as const)("of %s %j", (type, found, distribution, expected) => {
    expect(packagePurl(type, found, distribution)).toBe(expected);
  });
});
