import { describe, expect, it } from "vitest";
import { sampleDistribution, samplePackage } from "../match/fixtures/samples.ts";
import { derivedCpe } from "./derived-cpe.ts";
import type { Distribution } from "./distribution.ts";
import { type FoundPackage, languageKey, type Package } from "./package.ts";
import { purlRecord } from "./purl-record.ts";
import { packagePurl, recordPurl } from "./record-purl.ts";

const ofLanguage = (repository: string, text: string) => ({
  package: samplePackage(text),
  repositories: [{ id: "1", name: repository, key: languageKey }],
});
const ofRelease = (release: Distribution | string, found: Package) => ({
  package: found,
  distribution: typeof release === "string" ? sampleDistribution(release) : release,
  repositories: [],
});

describe("recordPurl", () => {
  it.each([
    ["npm", "debug 4.3.4", "pkg:npm/debug@4.3.4"],
    ["npm", "@babel/core 7.0.0-rc.1", "pkg:npm/%40babel/core@7.0.0-rc.1"],
    ["pypi", "Zope.Interface 5.0", "pkg:pypi/zope-interface@5.0"],
    ["maven", "org.slf4j:slf4j-api 2.0.9", "pkg:maven/org.slf4j/slf4j-api@2.0.9"],
    ["maven", "slf4j-api 2.0.9", "pkg:maven/slf4j-api@2.0.9"],
    ["go", "github.com/docker/cli v24.0.0+incompatible", "pkg:golang/github.com/docker/cli@v24.0.0%2Bincompatible"],
    ["go", "stdlib 1.21.3", "pkg:golang/stdlib@1.21.3"],
    ["crates.io", "time 0.1.42", "pkg:cargo/time@0.1.42"],
    ["rubygems", "rack 2.2.7", "pkg:gem/rack@2.2.7"],
    ["packagist", "symfony/http-kernel v6.3.1", "pkg:composer/symfony/http-kernel@v6.3.1"],
    ["nuget", "Newtonsoft.Json 13.0.1", "pkg:nuget/Newtonsoft.Json@13.0.1"],
    ["hex", "phoenix 1.7.10", "pkg:hex/phoenix@1.7.10"],
    ["otp", "ssl 10.8.7", "pkg:otp/ssl@10.8.7"],
    ["cran", "rlang 1.0-6", "pkg:cran/rlang@1.0-6"],
    ["hackage", "aeson 2.1.2.1", "pkg:hackage/aeson@2.1.2.1"],
    ["pub", "http 0.13.5", "pkg:pub/http@0.13.5"],
    ["pear", "pecl.php.net/redis 5.3.7", "pkg:pear/pecl.php.net/redis@5.3.7"],
    ["luarocks", "lpeg 1.1.0-1", "pkg:luarocks/lpeg@1.1.0-1"],
    ["cpan", "JSON-XS 4.03", "pkg:cpan/JSON-XS@4.03"],
    ["conda", "openssl 3.2.1", "pkg:conda/openssl@3.2.1"],
    ["cocoapods", "AFNetworking 4.0.1", "pkg:cocoapods/AFNetworking@4.0.1"],
    ["conan", "zlib 1.2.13", "pkg:conan/zlib@1.2.13"],
    ["swift", "github.com/apple/swift-nio 2.41.0", "pkg:swift/github.com/apple/swift-nio@2.41.0"],
  ])("of a package of %s, %s, is %s, and leads back", (repository, text, purl) => {
    const record = ofLanguage(repository, text);

    expect(recordPurl(record)).toBe(purl);
    expect(recordPurl(purlRecord(purl))).toBe(purl);
  });

  it.each([
    "pkg:conda/numpy@1.26.4?build=py311h64a7726_0&channel=conda-forge&subdir=linux-64",
    "pkg:conan/png@1.6.37?channel=stable&user=acme",
  ])("keeps the qualifiers of %s", (purl) => {
    expect(recordPurl(purlRecord(purl))).toBe(purl);
  });

  it.each([
    ["pkg:conda/numpy@1.26.4?subdir=linux-64", { name: "numpy", version: "1.26.4", arch: "linux-64" }],
    ["pkg:conan/openssl.org/openssl@3.0.3", { name: "openssl", version: "3.0.3" }],
    ["pkg:swift/github.com/apple/swift-nio.git/swift-nio@2.41.0", { name: "github.com/apple/swift-nio" }],
    ["pkg:swift/github.com/apple/swift-nio.git@2.0.0", { name: "github.com/apple/swift-nio", version: "2.0.0" }],
    ["pkg:golang/std@v1.20.0?type=module", { name: "stdlib", version: "1.20.0" }],
    ["pkg:golang/std@1.20.0", { name: "stdlib", version: "1.20.0" }],
    ["pkg:golang/example.org/std@v1.20.0", { name: "example.org/std", version: "v1.20.0" }],
  ])("reads the package of %s", (purl, expected) => {
    expect(purlRecord(purl).package).toMatchObject(expected);
  });

  it.each(["purl-qualifiers", "build=%E0%A4%A", "=&&a", "__proto__=1"])(
    "survives the qualifiers %j of another indexer",
    (name) => {
      const record = ofLanguage("conda", "a 1");
      const repositories = [...record.repositories, { id: "2", name, key: "purl-qualifiers" }];

      expect(recordPurl({ ...record, repositories })).toMatch(/^pkg:conda\/a@1/);
    },
  );

  it.each<[string, string, string, Parameters<typeof samplePackage>[1]]>([
    [
      "debian 12",
      "libssl3 3.0.11-1",
      "pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12&upstream=openssl",
      {
        arch: "amd64",
        from: "openssl 3.0.11-1",
      },
    ],
    [
      "debian 12",
      "libattr1 1:2.5.1-4%2Bb1",
      "pkg:deb/debian/libattr1@1:2.5.1-4%252Bb1?distro=debian-12&upstream=attr%401:2.5.1-4",
      {
        from: "attr 1:2.5.1-4",
      },
    ],
    [
      "rhel 8",
      "nodejs 1:18.20.2-1.el8",
      "pkg:rpm/redhat/nodejs@18.20.2-1.el8?distro=rhel-8&epoch=1&rpmmod=nodejs:18",
      {
        module: "nodejs:18",
      },
    ],
    [
      "rhel 8",
      "libperl 4:5.26.3-419.el8",
      "pkg:rpm/redhat/libperl@5.26.3-419.el8?distro=rhel-8&epoch=4&upstream=perl-5.26.3-419.el8.src.rpm",
      {
        from: "perl 4:5.26.3-419.el8",
      },
    ],
    ["alpine 3.20.2", "busybox 1.36.1-r29", "pkg:apk/alpine/busybox@1.36.1-r29?distro=alpine-3.20.2", {}],
    ["opensuse-leap 15.5", "zypper 1.14-1", "pkg:rpm/opensuse-leap/zypper@1.14-1?distro=opensuse-leap-15.5", {}],
  ])("of a package of %s, %s, is %s, and leads back to what is matched", (release, text, purl, more) => {
    const record = ofRelease(release, samplePackage(text, more));

    expect(recordPurl(record)).toBe(purl);
    const { package: found, distribution } = purlRecord(purl);
    expect(distribution).toEqual(record.distribution);
    expect({ ...found, source: found.source && { ...found.source, id: "" } }).toEqual({
      ...record.package,
      source: record.package.source,
    });
  });

  it.each([
    [
      "of a derivative by what it is like",
      sampleDistribution("unheard 1", { like: ["debian"] }),
      "pkg:deb/unheard/a@1?distro=unheard-1",
    ],
    ["not where nothing is known of its release", sampleDistribution("unheard 1"), undefined],
    ["of Arch", sampleDistribution("arch"), "pkg:alpm/arch/a@1"],
  ])("is known %s", (_, release, purl) => {
    expect(recordPurl(ofRelease(release, samplePackage("a 1")))).toBe(purl);
  });

  it.each([
    ["the name makes none", " 1"],
    ["it would be too long to be parsed", `${"a".repeat(16_384)} 1`],
  ])("is left out where %s", (_, text) => {
    const record = ofLanguage("npm", text);

    expect(recordPurl(record)).toBeUndefined();
    expect(derivedCpe(record)).toBeUndefined();
  });
});

describe("purlRecord", () => {
  it.each<[string, Partial<Distribution> | undefined]>([
    ["pkg:deb/debian/a@1", { did: "debian" }],
    ["pkg:deb/debian/a@1?distro=bookworm", { did: "debian", versionCodeName: "bookworm" }],
    ["pkg:deb/kali/a@1?distro=kali-2024.1", { did: "kali", versionId: "2024.1" }],
    ["pkg:rpm/sle_hpc/a@1?distro=sle_hpc-15.6", { did: "sle_hpc", versionId: "15.6" }],
    ["pkg:deb/debian/a@1?distro=debian:12", { did: "debian", versionId: "12" }],
    ["pkg:deb/debian/a@1?distro=debian%2012", { did: "debian", versionId: "12" }],
    ["pkg:deb/debianish/a@1?distro=debianish-12", { did: "debianish", versionId: "12" }],
    ["pkg:deb/debian/a@1?distro=12", { did: "debian", versionId: "12" }],
    ["pkg:deb/debian/a@1?distro=debian-trixie", { did: "debian", versionCodeName: "trixie" }],
    ["pkg:rpm/redhat/a@1?distro=9.2", { did: "rhel", versionId: "9.2" }],
    ["pkg:rpm/a@1", undefined],
    ["pkg:ebuild/sys-libs/zlib@1.3", undefined],
    ["pkg:ebuild/sys-libs/zlib@1.3?distro=gentoo-2.15", { did: "gentoo", versionId: "2.15" }],
  ])("reads the release of %s", (purl, distribution) => {
    expect(purlRecord(purl).distribution).toEqual(distribution && { id: "1", ...distribution });
  });

  it.each(["pkg:oci/debian@sha256:00", "debian", "pkg:npm/"])("refuses %s", (text) => {
    expect(() => purlRecord(text)).toThrow(expect.objectContaining({ code: "malformed_purl" }));
  });
});

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
