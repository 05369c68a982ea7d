import { describe, expect, it } from "vitest";
import { findOsvEcosystem } from "../feeds/osv/ecosystems.ts";
import { packagePurl } from "../model/record-purl.ts";
import { allDistributions } from "./all.ts";
import {
  findCpeDistribution,
  findDistribution,
  findEndOfLife,
  findNamedDistribution,
  ownRelease,
  thirdPartyIn,
} from "./shared/find.ts";
import type { PackagingSystem, Release } from "./shared/known-distribution.ts";

describe("allDistributions", () => {
  const dids = allDistributions.map(({ did }) => did);

  it("is in the order of the identifiers, of which each is once", () => {
    expect(dids).toEqual([...new Set(dids)].sort());
  });

  it.each(allDistributions.map((known) => [known.did, known] as const))("has a complete value for %s", (did, known) => {
    const { names = [], cpe = [], vendorTags = [], endOfLife = {}, osv, advisoryKey } = known;
    const days = Object.keys(endOfLife).map((release) => {
      const [versionId = "", ...name] = release.split(" ").reverse();
      return findEndOfLife({ did, versionId, name: name.reverse().join(" ") });
    });

    expect(did).toMatch(/^[0-9a-z._-]+$/);
    expect(names.filter((name) => findNamedDistribution(`${name} 1`) !== known)).toEqual([]);
    expect(cpe.filter((name) => findCpeDistribution(`cpe:/o:${name}:1`)?.did !== did)).toEqual([]);
    expect(vendorTags.filter((tag) => tag !== tag.toLowerCase() || known.packaging !== "rpm")).toEqual([]);
    expect(osv !== undefined && advisoryKey === undefined).toBe(false);
    expect(days).toEqual(Object.values(endOfLife));
    expect(Object.values(endOfLife).filter((day) => !/^\d{4}-\d\d-\d\d$/.test(day))).toEqual([]);
  });
});

describe("findNamedDistribution", () => {
  it.each([
    ["Alpine Linux", "alpine"],
    ["AlmaLinux", "almalinux"],
    ["Amazon Linux", "amzn"],
    ["Anolis OS", "anolis"],
    ["CBL-Mariner", "mariner"],
    ["CentOS", "centos"],
    ["Chainguard", "chainguard"],
    ["CloudLinux", "cloudlinux"],
    ["Debian GNU/Linux", "debian"],
    ["Enterprise Linux Enterprise Linux", "ol"],
    ["EulerOS", "euleros"],
    ["Fedora", "fedora"],
    ["Microsoft Azure Linux", "azurelinux"],
    ["openEuler", "openeuler"],
    ["openSUSE Leap", "opensuse-leap"],
    ["openSUSE Tumbleweed", "opensuse-tumbleweed"],
    ["openSUSE", "opensuse"],
    ["Oracle Linux", "ol"],
    ["Red Hat Enterprise Linux CoreOS", "rhcos"],
    ["Red Hat Enterprise Linux", "rhel"],
    ["Rocky Linux", "rocky"],
    ["Scientific Linux", "scientific"],
    ["SUSE Linux Enterprise Server", "sles"],
    ["SUSE Linux Enterprise Desktop", "sled"],
    ["Ubuntu", "ubuntu"],
    ["Virtuozzo", "virtuozzo"],
    ["VMware Photon", "photon"],
    ["Wolfi", "wolfi"],
    ["Minix", undefined],
  ])("%s: %s", (name, did) => {
    expect(findNamedDistribution(`${name} release 7`)?.did).toBe(did);
  });
});

describe("findCpeDistribution", () => {
  it.each([
    ["almalinux:almalinux", "almalinux"],
    ["amazon:amazon_linux", "amzn"],
    ["amazon:linux", "amzn"],
    ["centos:centos", "centos"],
    ["centos:linux", "centos"],
    ["fedoraproject:fedora", "fedora"],
    ["opensuse:leap", "opensuse-leap"],
    ["oracle:linux", "ol"],
    ["redhat:enterprise_linux", "rhel"],
    ["rocky:rocky", "rocky"],
    ["suse:sles", "sles"],
  ])("%s: %s", (name, did) => {
    expect(findCpeDistribution(`cpe:2.3:o:${name.toUpperCase()}:8:*`)).toEqual({ did, version: "8" });
  });
});

describe("findDistribution", () => {
  it.each([
    ["dpkg", "astra debian deepin devuan elementary kali linuxmint parrot pop proxmox pureos raspbian ubuntu uos"],
    ["apk", "adelie alpaquita alpine chainguard minimos postmarketos wolfi"],
    [
      "rpm",
      "alinux almalinux alt altlinux amzn anolis azurelinux centos cloudlinux euleros eurolinux fedora kylin mageia",
    ],
    [
      "rpm",
      "mariner miraclelinux nobara ol opencloudos openeuler openmandriva opensuse opensuse-leap opensuse-tumbleweed",
    ],
    [
      "rpm",
      "bottlerocket photon rhcos rhel rocky scientific sled sles suse tencentos virtuozzo sles_sap sle-micro sl-micro",
    ],
    ["pacman", "arch archlinux manjaro"],
    ["portage", "gentoo"],
    ["nix", "nixos"],
    ["opkg", "openwrt"],
    ["none", "buildroot cos flatcar talos"],
  ])("knows that %s installs the packages of %s", (packaging, dids) => {
    const found = dids.split(" ").map((did) => findDistribution(did)?.packaging);

    expect(new Set(found)).toEqual(new Set([packaging]));
  });

  it("knows which packages of other systems are those of a release", () => {
    const systems: readonly PackagingSystem[] = ["apk", "dpkg", "nix", "opkg", "pacman", "portage", "rpm"];
    const pairs = allDistributions.flatMap(({ did, packaging }) =>
      systems
        .filter((system) => packaging !== "none" && ownRelease(system, { did }) !== undefined)
        .map((system) => `${did}: ${system}`),
    );
    const own = allDistributions.flatMap(({ did, packaging }) =>
      packaging === "none" ? [] : [`${did}: ${packaging}`],
    );

    expect(pairs.filter((pair) => !own.includes(pair))).toEqual(["openwrt: apk"]);
    expect(own.filter((pair) => !pairs.includes(pair))).toEqual([]);
  });

  it.each<[PackagingSystem, Release, string | undefined]>([
    ["rpm", { did: "of-nobody" }, "of-nobody"],
    ["rpm", { did: "flatcar" }, "flatcar"],
    ["apk", { did: "of-nobody", like: ["of-nobody", "alpine"] }, "of-nobody"],
    ["apk", { did: "of-nobody", like: ["debian"] }, undefined],
    ["apk", { did: "debian", like: ["alpine"] }, undefined],
  ])("gives packages of %s in %o the release %s", (system, release, did) => {
    expect(ownRelease(system, release)?.did).toBe(did);
  });

  it("finds no distribution for an identifier that only objects have", () => {
    expect(findDistribution("constructor")).toBeUndefined();
  });
});

describe("thirdPartyIn", () => {
  it.each([
    ["docker", "debian", "docker"],
    ["docker", "kali", "docker"],
    ["docker", undefined, "docker"],
    ["Kali Linux", "debian", "Kali Linux"],
    ["Kali Linux", "kali", undefined],
    ["Ubuntu Linux", "debian", "Ubuntu Linux"],
    ["Ubuntu Linux", "ubuntu", undefined],
    ["Ubuntu Linux", "linuxmint", undefined], // which is made from it, and has no advisories
    ["Ubuntu Linux", undefined, undefined],
    ["Raspberry Pi OS", "debian", "Raspberry Pi OS"],
    ["Manjaro Linux", "arch", "Manjaro Linux"],
    ["Manjaro Linux", "manjaro", undefined],
    [undefined, "debian", undefined],
  ])("takes %s in an image of %s for the third party %s", (maker, did, expected) => {
    expect(thirdPartyIn(maker, { did })).toBe(expected);
  });
});

describe("the facts of a distribution", () => {
  it("name the vendors of package URLs", () => {
    const urls = ["rhel", "amzn", "ol", "rocky"].map((did) =>
      packagePurl("rpm", { name: "a", version: "1", kind: "BINARY" }, { did }),
    );

    expect(urls.map((url) => url.split("/")[1])).toEqual(["redhat", "amazon", "oracle", "rocky"]);
  });

  it("speak of the same releases in images and in OSV", () => {
    const speaking = allDistributions.filter(({ osv, endOfLife }) => osv !== undefined && endOfLife !== undefined);
    const pairs = speaking.flatMap(({ did, osv, endOfLife }) =>
      Object.keys(endOfLife ?? {}).map((release) => [
        findOsvEcosystem(`${osv?.ecosystem}:${release}`)?.key,
        `${did}:${release}`,
      ]),
    );

    expect(pairs.filter(([osv, own]) => osv !== undefined && osv !== own)).toEqual([]);
  });

  it.each([
    [{ did: "debian", versionId: "12" }, "2028-06-30"],
    [{ did: "debian", versionCodeName: "bullseye" }, "2026-08-31"],
    [{ did: "alpine", versionId: "3.21.2" }, "2026-11-01"],
    [{ did: "debian", versionCodeName: "sid" }, undefined],
    [{ did: "rhel", versionId: "9.4" }, "2032-05-31"],
    [{ did: "ubuntu", versionId: "22.04" }, "2027-04-01"],
    [{ did: "amzn", versionId: "2018.03" }, "2023-12-31"],
    [{ did: "centos", versionId: "8", name: "CentOS Linux" }, "2021-12-31"],
    [{ did: "centos", versionId: "8", name: "CentOS Stream" }, "2024-05-31"],
    [{ did: "centos", versionId: "9", name: "CentOS Stream" }, "2027-05-31"],
    [{ did: "openeuler", versionId: "22.03", version: "22.03 (LTS-SP1)" }, "2024-12-31"],
    [{ did: "linuxmint", versionId: "21.3" }, "2027-04-30"],
    [{ did: "nixos", versionId: "24.05" }, "2024-12-31"],
    [{ did: "arch", versionId: "constructor" }, undefined],
    [{ did: "kali" }, undefined],
    [{}, undefined],
  ])("tell the end of life of %j: %s", (release, day) => {
    expect(findEndOfLife(release)).toBe(day);
  });
});
