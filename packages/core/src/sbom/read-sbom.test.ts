import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import { ScanError } from "../errors.ts";
import { unstatedKey } from "../model/package.ts";
import { readSbom, readSbomInSlices } from "./read-sbom.ts";
import type { Sbom, SbomPackage } from "./sbom.ts";

const encode = (document: unknown) => new TextEncoder().encode(JSON.stringify(document));
const read = (document: unknown): Sbom => readSbom(encode(document), "sbom");
const cycloneDx = (components: readonly object[], more: object = {}) =>
  read({ bomFormat: "CycloneDX", specVersion: "1.6", components, ...more });
const spdx = (packages: readonly object[], more: object = {}) =>
  read({ spdxVersion: "SPDX-2.3", name: "app", packages, ...more });
const syft = (artifacts: readonly object[], more: object = {}) =>
  read({ artifacts, artifactRelationships: [], schema: { version: "16.0.0" }, ...more });
const purlReference = (purl: string) => ({ externalRefs: [{ referenceType: "purl", referenceLocator: purl }] });

/** `name version (repository | release) <- source`. */
function shown({ package: { name, version, source }, repositories, distribution }: SbomPackage): string {
  const release = distribution && `${distribution.did}:${distribution.versionId ?? distribution.versionCodeName ?? ""}`;
  const named = repositories.filter(({ key }) => key !== unstatedKey).map((repository) => repository.name);
  const places = [...named, ...(release === undefined ? [] : [release])];
  const built = source === undefined ? "" : ` <- ${source.name} ${source.version}`;
  return `${name} ${version} (${places.join(" ")})${built}`;
}

const lib = (purl: string, more: object = {}) => ({ type: "library", name: "x", version: "9", purl, ...more });

describe("readSbomInSlices", () => {
  const named = (count: number) => Array.from({ length: count }, (_, n) => lib(`pkg:npm/a${n}@1`));

  it.each([
    ["CycloneDX", { bomFormat: "CycloneDX", specVersion: "1.6", components: [...named(5), { type: "library" }] }],
    ["SPDX", { spdxVersion: "SPDX-2.3", packages: [{ name: "a" }, {}, { name: "c" }] }],
    ["Syft", { schema: {}, artifactRelationships: [], artifacts: [{ name: "a", version: "1" }, {}] }],
  ])("reads %s as readSbom does, and yields the thread after each entry", async (_, document) => {
    let turns = 0;
    const slices = { mostEntries: 100, yieldToOthers: () => void turns++ };

    const { sbom, leftOut } = await readSbomInSlices(document, "sbom", slices);

    expect([sbom, leftOut]).toEqual([read(document), 0]);
    expect(turns).toBe(sbom.packages.length + sbom.problems.length);
  });

  it("reads at most the given number of entries, and counts the entries that it left out", async () => {
    const document = { bomFormat: "CycloneDX", specVersion: "1.6", components: named(5) };

    const { sbom, leftOut } = await readSbomInSlices(document, "sbom", { mostEntries: 3, yieldToOthers: () => {} });

    expect([sbom.packages.map(shown), leftOut]).toEqual([["a0 1 (npm)", "a1 1 (npm)", "a2 1 (npm)"], 2]);
  });
});

describe("readSbom", () => {
  it("marks the main module of a Go program that another tool lists, and not its dependencies", () => {
    const program = { properties: [{ name: "syft:metadata:mainModule", value: "a.example/app" }] };
    const { packages } = cycloneDx([
      lib("pkg:golang/a.example/app@v0.0.0-20240102030405-abcdef123456", program),
      lib("pkg:golang/a.example/b@v0.0.0-20240102030405-abcdef123456", program),
    ]);

    expect(packages.map(shown)).toEqual([
      "a.example/app v0.0.0-20240102030405-abcdef123456 (go unknown-commit a.example/app)",
      "a.example/b v0.0.0-20240102030405-abcdef123456 (go a.example/b)",
    ]);
  });

  it.each([
    ["npm", lib("pkg:npm/%40babel/core@7.0.0"), "@babel/core 7.0.0 (npm)"],
    ["maven", lib("pkg:maven/org.x/y@1.2?type=jar"), "org.x:y 1.2 (maven)"],
    ["a version outside the package URL", lib("pkg:gem/rack"), "rack 9 (rubygems)"],
    [
      "a Go module with its capital letters",
      lib("pkg:golang/github.com/Azure/X@v1", { name: "github.com/azure/x" }),
      "github.com/Azure/X v1 (go)",
    ],
    [
      "an npm package with its capital letters",
      lib("pkg:npm/JSONStream@1.3.5", { name: "other" }),
      "JSONStream 1.3.5 (npm)",
    ],
    [
      "a Go module whose package URL lost its capital letters",
      lib("pkg:golang/github.com/azure/x@v1", { name: "github.com/Azure/X" }),
      "github.com/Azure/X v1 (go)",
    ],
    [
      "a Python project with the name that it has itself",
      lib("pkg:pypi/huggingface-hub@2.4.0", { name: "Huggingface_hub" }),
      "Huggingface_hub 2.4.0 (pypi)",
    ],
    [
      "a Python project that only its package URL names",
      lib("pkg:pypi/pyyaml@6.0", { name: "other" }),
      "pyyaml 6.0 (pypi)",
    ],
    ["Go's standard library, as Trivy has its version", lib("pkg:golang/stdlib@v1.26.4"), "stdlib 1.26.4 (go)"],
    ["Go's standard library, as the toolchain", lib("pkg:golang/go@1.20", { name: "go" }), "stdlib 1.20 (go)"],
    [
      "a Go module with the letters of the cache of modules",
      lib("pkg:golang/github.com/!masterminds/sprig@v2.22.0", { name: "github.com/!masterminds/sprig" }),
      "github.com/Masterminds/sprig v2.22.0 (go)",
    ],
    [
      "a Python package with extras",
      lib("pkg:pypi/jinja2%5Basync%5D@3.0", { name: "Jinja2[async]" }),
      "jinja2 3.0 (pypi)",
    ],
    [
      "a group apart from the name",
      lib("pkg:golang/github.com/azure/x@v1", { group: "github.com/Azure", name: "x" }),
      "github.com/Azure/x v1 (go)",
    ],
    [
      "the group of an archive beside a package URL without it",
      lib("pkg:maven/log4j-core@2.14.1", { group: "org.apache.logging.log4j", name: "log4j-core" }),
      "org.apache.logging.log4j:log4j-core 2.14.1 (maven)",
    ],
    [
      "the scope of an npm package beside a package URL without it",
      lib("pkg:npm/core@7.0.0", { group: "@babel", name: "core" }),
      "@babel/core 7.0.0 (npm)",
    ],
    [
      "a group of an npm package that is no scope",
      lib("pkg:npm/core@7.0.0", { group: "Acme Corp", name: "core" }),
      "core 7.0.0 (npm)",
    ],
    [
      "the vendor of a package of Composer beside a package URL without it",
      lib("pkg:composer/yaml@7.0.0", { group: "symfony", name: "yaml" }),
      "symfony/yaml 7.0.0 (packagist)",
    ],
    ...["null", "undefined", "unknown", "none", "unspecified", "$%7Bproject.groupId%7D", "%40groupId%40"].map(
      (group): [string, object, string] => [
        `an archive whose group is the placeholder ${group}`,
        lib(`pkg:maven/${group}/log4j-core@2.14.1`, { group: decodeURIComponent(group), name: "log4j-core" }),
        "log4j-core 2.14.1 (maven :log4j-core)",
      ],
    ),
    [
      "an archive whose group is a placeholder in its package URL alone",
      lib("pkg:maven/unknown/log4j-core@2.14.1", { group: "org.apache.logging.log4j", name: "log4j-core" }),
      "org.apache.logging.log4j:log4j-core 2.14.1 (maven)",
    ],
    [
      "an archive whose group is a placeholder in its entry alone",
      lib("pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1", { group: "undefined", name: "log4j-core" }),
      "org.apache.logging.log4j:log4j-core 2.14.1 (maven)",
    ],
    [
      "an archive whose artifact is a placeholder",
      lib("pkg:maven/com.acme/$%7Bproject.artifactId%7D@1"),
      "${project.artifactId} 1 (maven)",
    ],
    ["a package of Composer whose vendor is a placeholder", lib("pkg:composer/unknown/yaml@7"), "yaml 7 (packagist)"],
    ["an npm package with the name of a placeholder", lib("pkg:npm/undefined@1"), "undefined 1 (npm)"],
    [
      "an archive of which the package URL and the entry name different groups",
      lib("pkg:maven/org.apache/log4j-core@2.14.1", { group: "org.apache.logging.log4j", name: "log4j-core" }),
      "log4j-core 2.14.1 (maven org.apache:log4j-core org.apache.logging.log4j:log4j-core :log4j-core)",
    ],
    [
      "the epoch of an rpm from Syft's property",
      lib("pkg:rpm/almalinux/openssl-libs@3.2.2-6?distro=almalinux-9", {
        properties: [{ name: "syft:metadata:epoch", value: "1" }],
      }),
      "openssl-libs 1:3.2.2-6 (almalinux:9)",
    ],
    [
      "the epoch of an rpm from the property of its source of the same version",
      lib("pkg:rpm/almalinux/openssl-libs@3.2.2-6?distro=almalinux-9", {
        properties: [
          { name: "aquasecurity:trivy:SrcName", value: "openssl" },
          { name: "aquasecurity:trivy:SrcVersion", value: "3.2.2" },
          { name: "aquasecurity:trivy:SrcRelease", value: "6" },
          { name: "aquasecurity:trivy:SrcEpoch", value: "1" },
        ],
      }),
      "openssl-libs 1:3.2.2-6 (almalinux:9) <- openssl 1:3.2.2-6",
    ],
    [
      "the epoch in the package URL, not that in a property",
      lib("pkg:rpm/almalinux/openssl-libs@3.2.2-6?distro=almalinux-9&epoch=1", {
        properties: [{ name: "syft:metadata:epoch", value: "2" }],
      }),
      "openssl-libs 1:3.2.2-6 (almalinux:9)",
    ],
    [
      "a package of a distribution",
      lib("pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12&upstream=openssl"),
      "libssl3 3.0.11-1 (debian:12) <- openssl 3.0.11-1",
    ],
    [
      "the source package from Trivy's properties",
      lib("pkg:rpm/redhat/libcurl@7.76.1-1.el9?distro=redhat-9.3", {
        properties: [
          { name: "aquasecurity:trivy:SrcName", value: "curl" },
          { name: "aquasecurity:trivy:SrcVersion", value: "7.76.1" },
          { name: "aquasecurity:trivy:SrcRelease", value: "1.el9" },
          { name: "aquasecurity:trivy:SrcEpoch", value: "2" },
        ],
      }),
      "libcurl 2:7.76.1-1.el9 (rhel:9.3) <- curl 2:7.76.1-1.el9",
    ],
    [
      "the source package of OSV-SCALIBR's Debian packages",
      lib("pkg:deb/debian/libc6@2.36-9?distro=bookworm&source=glibc&sourceversion=2.36-8"),
      "libc6 2.36-9 (debian:bookworm) <- glibc 2.36-8",
    ],
    [
      "the source package of OSV-SCALIBR's Alpine packages",
      lib("pkg:apk/alpine/libssl3@3.5.7-r0?distro=3.22.0&origin=openssl"),
      "libssl3 3.5.7-r0 (alpine:3.22.0) <- openssl 3.5.7-r0",
    ],
    [
      "the source package of OSV-SCALIBR's rpm packages",
      lib(
        "pkg:rpm/almalinux/openssl-libs@3.2.2-6.el9?epoch=1&distro=almalinux-9.5&sourcerpm=openssl-3.2.2-6.el9.src.rpm",
      ),
      "openssl-libs 1:3.2.2-6.el9 (almalinux:9.5) <- openssl 1:3.2.2-6.el9",
    ],
    [
      "the source package from cdxgen's properties",
      lib("pkg:deb/debian/libcurl4@7.88.1-10?distro=debian-12", {
        properties: [
          { name: "SrcName", value: "curl" },
          { name: "SrcVersion", value: "7.88.1" },
          { name: "SrcRelease", value: "10" },
        ],
      }),
      "libcurl4 7.88.1-10 (debian:12) <- curl 7.88.1-10",
    ],
    [
      "the source package from Syft's properties",
      lib("pkg:apk/alpine/libssl3@3.5.7-r0?distro=alpine-3.22.0", {
        version: "3.5.7-r0",
        properties: [{ name: "syft:metadata:originPackage", value: "openssl" }],
      }),
      "libssl3 3.5.7-r0 (alpine:3.22.0) <- openssl 3.5.7-r0",
    ],
    [
      "an epoch in a qualifier",
      lib("pkg:deb/debian/git@2.39.5-0?distro=debian-12&epoch=1"),
      "git 1:2.39.5-0 (debian:12)",
    ],
    [
      "an epoch in the version and a qualifier",
      lib("pkg:rpm/alma/openssl-libs@1%3A3.2.2-6?distro=alma-9.5&epoch=1"),
      "openssl-libs 1:3.2.2-6 (almalinux:9.5)",
    ],
    [
      "an epoch in the entry's own version alone",
      lib("pkg:rpm/alma/openssl-libs@3.2.2-6?distro=alma-9.5&upstream=openssl-3.2.2-6.src.rpm", {
        version: "1:3.2.2-6",
      }),
      "openssl-libs 1:3.2.2-6 (almalinux:9.5) <- openssl 1:3.2.2-6",
    ],
    [
      "an epoch in the entry's own version beside that of the package URL",
      lib("pkg:rpm/alma/openssl-libs@3.2.2-6?distro=alma-9.5&epoch=0", { version: "1:3.2.2-6" }),
      "openssl-libs 3.2.2-6 (almalinux:9.5)",
    ],
    [
      "another version than that of the package URL",
      lib("pkg:deb/debian/git@2.39.5-1?distro=debian-12", { version: "1:2.39.5-2" }),
      "git 2.39.5-1 (debian:12)",
    ],
    ["a colon in the version of a language", lib("pkg:npm/a@1.0.0", { version: "1:1.0.0" }), "a 1.0.0 (npm)"],
    [
      "no epoch, as rpm prints it",
      lib("pkg:rpm/alma/bash@5-1?distro=alma-9.5&epoch=(none)"),
      "bash 5-1 (almalinux:9.5)",
    ],
    [
      "the release in the qualifiers of Docker Scout",
      lib("pkg:deb/debian/git@1?os_distro=bookworm&os_name=debian&os_version=12"),
      "git 1 (debian:12)",
    ],
    [
      "the release in the repository of Red Hat's own documents",
      lib("pkg:rpm/redhat/zlib@1-1?repository_id=rhel-9-for-x86_64-baseos-rpms"),
      "zlib 1-1 (rhel:9)",
    ],
    [
      "the release in other repositories of Red Hat",
      lib("pkg:rpm/redhat/kubelet@1-1?repository_id=rhocp-4.16-for-rhel-9-x86_64-rpms"),
      "kubelet 1-1 (rhel:9)",
    ],
    [
      "the release of UBI's repositories",
      lib("pkg:rpm/redhat/zlib@1-1?repository_id=ubi-8-baseos-rpms"),
      "zlib 1-1 (rhel:8)",
    ],
    [
      "a code name in a qualifier of its own, as cdxgen has it",
      lib("pkg:deb/debian/a@1?distro_name=bookworm"),
      "a 1 (debian:bookworm)",
    ],
    [
      "the name of a source rpm in a qualifier",
      lib("pkg:rpm/redhat/libcurl@7.76.1-1?distro=rhel-9&source_rpm=curl-7.76.1-1.src.rpm"),
      "libcurl 7.76.1-1 (rhel:9) <- curl 7.76.1-1",
    ],
    [
      "the name of a source rpm in Syft's properties",
      lib("pkg:rpm/rhel/libcurl@7.76.1-1?distro=rhel-9&epoch=1", {
        properties: [{ name: "syft:metadata:sourceRpm", value: "curl-7.76.1-1.src.rpm" }],
      }),
      "libcurl 1:7.76.1-1 (rhel:9) <- curl 1:7.76.1-1",
    ],
    [
      "the version of a source from the package URL, if the properties only have its name",
      lib("pkg:deb/debian/libssl3@3.0-1%2Bb1?distro=debian-12&upstream=openssl%403.0-1", {
        properties: [{ name: "syft:metadata:source", value: "openssl" }],
      }),
      "libssl3 3.0-1+b1 (debian:12) <- openssl 3.0-1",
    ],
    [
      "a package of Alpine by the type that there was before apk",
      lib("pkg:alpine/libssl3@3.5.7-r0?distro=alpine-3.22.0&upstream=openssl"),
      "libssl3 3.5.7-r0 (alpine:3.22.0) <- openssl 3.5.7-r0",
    ],
    [
      "a package of Bottlerocket by Trivy's type",
      lib("pkg:bottlerocket/kernel-6.1@6.1.1-1?distro=bottlerocket-1.26.1"),
      "kernel-6.1 6.1.1-1 (bottlerocket:1.26.1)",
    ],
    [
      "a package of another packaging system than that of the release, which is of no known release",
      lib("pkg:apk/alpine/libssl3@3.5.7-r0?distro=debian-12&upstream=openssl"),
      "libssl3 3.5.7-r0 () <- openssl 3.5.7-r0",
    ],
    [
      "a package of apk in a release of OpenWrt, which has two packaging systems",
      lib("pkg:apk/openwrt/libssl3@3.5.7-r0?distro=openwrt-24.10"),
      "libssl3 3.5.7-r0 (openwrt:24.10)",
    ],
    ["an unknown type", lib("pkg:qpkg/openssl@3"), "x 9 ()"],
    ["a program", lib("pkg:generic/openssl@3"), "openssl 3 (generic)"],
    ["no package URL", { type: "application", group: "g", name: "y", version: "1" }, "g/y 1 ()"],
  ])("reads a component of CycloneDX: %s", (_, component, expected) => {
    expect(cycloneDx([component]).packages.map(shown)).toEqual([expected]);
  });

  it.each([
    ["alma", "9.5", "almalinux:9.5"],
    ["amazon", "2 (Karoo)", "amzn:2"],
    ["amazon", "AMI release 2018.03", "amzn:2018.03"],
    ["amazon", "2023.6.20241212 (Amazon Linux)", "amzn:2023.6.20241212"],
    ["azurelinux", "3.0", "azurelinux:3.0"],
    ["debian", "trixie/sid", "debian:trixie"],
    ["ubuntu", "noble", "ubuntu:noble"],
    ["alpine", "v3.20", "alpine:3.20"],
    ["fedora", "41", "fedora:41"],
    ["opensuse-leap", "15.6", "opensuse-leap:15.6"],
    ["opensuse-tumbleweed", "20241011", "opensuse-tumbleweed:20241011"],
    ["photon", "5.0", "photon:5.0"],
    ["sles", "15.6", "sles:15.6"],
    ["suse linux enterprise server", "15.6", "sles:15.6"],
    ["sles", "15-SP6", "sles:15.6"],
    ["sles", "15 SP6", "sles:15.6"],
    ["sles", "15", "sles:15"],
    ["cbl-mariner", "2.0", "mariner:2.0"],
    ["centos-stream", "8", "centos:8"],
    ["slem", "5.5", "sle-micro:5.5"],
    ["opensuse.leap", "15.6", "opensuse-leap:15.6"],
    ["oracle", "9", "ol:9"],
    ["redhat", "9.4", "rhel:9.4"],
    ["rocky", "9.4", "rocky:9.4"],
  ])("reads the release that a tool calls %s %s", (family, version, expected) => {
    const type = { debian: "deb", ubuntu: "deb", alpine: "apk" }[family] ?? "rpm";
    const distro = encodeURIComponent(`${family}-${version}`);
    const purls = [`pkg:${type}/x/bash@5-1?distro=${distro}`, `pkg:${type}/bash@5-1`];
    const system = { type: "operating-system", name: family, version };

    const { packages } = cycloneDx([system, ...purls.map((purl) => lib(purl))]);

    expect(packages.map(shown)).toEqual(Array(2).fill(`bash 5-1 (${expected})`));
  });

  it.each([
    ["a property of Syft", { properties: [{ name: "syft:metadata:modularityLabel", value: "a:1:80:ab" }] }, ""],
    ["a property of Trivy", { properties: [{ name: "aquasecurity:trivy:Modularitylabel", value: "a:1:80:ab" }] }, ""],
    ["the package URL", {}, "&rpmmod=a:1:80:ab"],
    ["Trivy's package URL", {}, "&modularitylabel=a:1:80:ab"],
  ])("reads the stream of a module without its version and context, from %s", (_, more, qualifier) => {
    const { packages } = cycloneDx([lib(`pkg:rpm/almalinux/b@1-1?distro=almalinux-8.10${qualifier}`, more)]);

    expect(packages.map((found) => found.package.module)).toEqual(["a:1"]);
  });

  it.each([
    ["an image", lib("pkg:oci/app@sha256%3Aaa")],
    ["a key of rpm", lib("pkg:rpm/redhat/gpg-pubkey@fd431d51-4ae0493b?distro=rhel-9.4")],
    ["a source rpm", lib("pkg:rpm/redhat/zstd@1.5.5-1.el9?arch=src")],
    ["a file", { type: "file", name: "/etc/passwd" }],
  ])("leaves %s out", (_, component) => {
    expect(cycloneDx([component])).toMatchObject({ packages: [], problems: [] });
  });

  it.each([
    ["excluded", ["npm", "development"]],
    ["optional", ["npm"]],
    ["required", ["npm"]],
  ])("marks a component of CycloneDX of the scope %s as not for the run time, if that is so", (scope, repositories) => {
    const { packages } = cycloneDx([lib("pkg:npm/x@1", { scope }), lib("pkg:deb/debian/a@1?distro=debian-12")]);

    expect(packages[0]?.repositories.map(({ name }) => name)).toEqual([...repositories, "owner"]);
  });

  it.each([
    ["a file with the package URL of a language", lib("pkg:npm/x@1", { type: "file" }), ["x"]],
    ["a model with the package URL of a language", lib("pkg:pypi/x@1", { type: "machine-learning-model" }), ["x"]],
    ["a file with the package URL of a program", lib("pkg:generic/x@1", { type: "file" }), []],
    ["a component without a type", { name: "x", version: "1" }, ["x"]],
    ["a component of a type that is not known", { type: "package", name: "x", version: "1" }, ["x"]],
    ["a type in capitals", { type: "FILE", name: "x", version: "1" }, []],
    ["a container with the package URL of a package", lib("pkg:npm/x@1", { type: "container" }), ["x"]],
    ["a container with that of an image", lib("pkg:oci/x@1", { type: "container" }), []],
    ...["cryptographic-asset", "data", "device", "file", "firmware", "machine-learning-model"].map(
      (type): [string, object, readonly string[]] => [
        `a CPE name, of the type ${type}`,
        { type, name: "x", version: "1", cpe: "cpe:2.3:o:a:x:1:*:*:*:*:*:*:*" },
        ["x"],
      ],
    ),
    [
      "a model with a package URL of another type",
      lib("pkg:huggingface/x@1", { type: "machine-learning-model" }),
      ["x"],
    ],
    ...["cryptographic-asset", "data", "device", "file", "machine-learning-model"].map(
      (type): [string, object, readonly string[]] => [`nothing of the type ${type}`, { type, name: "x" }, []],
    ),
    ...["device-driver", "firmware"].map((type): [string, object, readonly string[]] => [
      `software of the type ${type}`,
      { type, name: "x", version: "1" },
      ["x"],
    ]),
    [
      "an operating system with a CPE name",
      { type: "operating-system", name: "x", version: "1", cpe: "cpe:2.3:o:a:x:1:*:*:*:*:*:*:*" },
      [],
    ],
  ])("reads as a package, or not: %s", (_, component, names) => {
    expect(cycloneDx([component]).packages.map(({ package: { name } }) => name)).toEqual(names);
  });

  it.each([
    ["an application with a CPE name", { type: "application", name: "x", cpe: "cpe:2.3:o:a:x:1:*:*:*:*:*:*:*" }, ["x"]],
    ["an application", { type: "application", name: "x" }, []],
    ["an image with a CPE name", { type: "container", name: "x", cpe: "cpe:2.3:o:a:x:1:*:*:*:*:*:*:*" }, []],
  ])("reads the subject of CycloneDX as a package, or not: %s", (_, component, names) => {
    const { packages } = read({ bomFormat: "CycloneDX", metadata: { component } });

    expect(packages.map(({ package: { name } }) => name)).toEqual(names);
  });

  it.each([
    ["CycloneDX", { bomFormat: "CycloneDX" }, "components"],
    ["SPDX", { spdxVersion: "SPDX-2.3" }, "packages"],
    ["Syft", { schema: {} }, "artifacts"],
  ])("makes a problem of what is no entry in a list of %s", (form, head, member) => {
    const problems = (list: unknown) => read({ ...head, [member]: list }).problems.map(({ at }) => at);

    expect(problems([{ type: "library", name: "a" }, null, "b"])).toEqual([`${member}[1]`, `${member}[2]`]);
    if (form === "Syft") return;
    expect([problems({ a: 1 }), problems("a"), problems(null), problems([])]).toEqual([
      ...[[`${member}[0]`], [`${member}[0]`]],
      ...[[], []],
    ]);
  });

  it("takes of several package URLs of an entry of SPDX one of a package", () => {
    const references = ["pkg:generic/curl@7", "pkg:github/curl/curl@7", "pkg:deb/debian/libcurl4@7-1?distro=debian-12"];
    const externalRefs = references.map((locator) => ({ referenceType: "purl", referenceLocator: locator }));
    const shownOf = (count: number) =>
      spdx([{ name: "curl", externalRefs: externalRefs.slice(0, count) }]).packages.map(shown);

    expect([1, 3].map(shownOf)).toEqual([["curl 7 (generic)"], ["libcurl4 7-1 (debian:12)"]]);
  });

  it.each([
    [
      ["pkg:npm/x@1.0.0", "pkg:npm/lodash@4.17.20"],
      ["x 1.0.0 (npm)", "lodash 4.17.20 (npm)"],
    ],
    [
      ["pkg:rpm/redhat/x@1-1?repository_id=rhel-9-a", "pkg:rpm/redhat/x@1-1?repository_id=rhel-9-b"],
      ["x 1-1 (rhel:9)"],
    ],
  ])("takes each package of several package URLs of an entry of SPDX: %j", (locators, expected) => {
    const externalRefs = locators.map((locator) => ({ referenceType: "purl", referenceLocator: locator }));
    const [first = "", ...others] = locators;
    const element = {
      ...{ type: "software_Package", spdxId: "p", name: "x", software_packageUrl: first },
      externalIdentifier: others.map((identifier) => ({ externalIdentifierType: "packageUrl", identifier })),
    };
    const spdx3 = JSON.stringify({ "@context": "x", "@graph": [element] });

    expect(spdx([{ name: "x", externalRefs }]).packages.map(shown)).toEqual(expected);
    expect(readSbom(new TextEncoder().encode(spdx3), "x").packages.map(shown)).toEqual(expected);
  });

  it("leaves out an entry of SPDX without a version that contains others, such as a layer", () => {
    const layer = { SPDXID: "layer", name: "sha256:bb", versionInfo: "NOASSERTION" };
    const found = { SPDXID: "a", name: "a", versionInfo: "1", ...purlReference("pkg:pypi/a@1") };
    const contains = (to: string) => ({
      relationships: [{ spdxElementId: "layer", relationshipType: "CONTAINS", relatedSpdxElement: to }],
    });
    const names = (entry: object, to = "a") =>
      spdx([entry, found], contains(to)).packages.map(({ package: { name } }) => name);

    expect(names(layer)).toEqual(["a"]);
    expect(names(layer, "a-file")).toEqual(["sha256:bb", "a"]);
    expect(names({ ...layer, versionInfo: "2" })).toEqual(["sha256:bb", "a"]);
    expect(names({ ...layer, ...purlReference("pkg:npm/b") })).toEqual(["b", "a"]);
  });

  it.each([
    ["a package of the profile for AI", { type: "ai_AIPackage", software_packageUrl: "pkg:pypi/a@1" }, ["a"]],
    ["a file with the package URL of a package", { type: "software_File", software_packageUrl: "pkg:pypi/a@1" }, ["a"]],
    ["a file with another package URL", { type: "software_File", software_packageUrl: "pkg:generic/a@1" }, []],
    ["a file", { type: "software_File" }, []],
  ])("reads of SPDX 3 %s", (_, element, names) => {
    const { packages } = read({ "@graph": [{ spdxId: "a", name: "a", ...element }] });

    expect(packages.map(({ package: { name } }) => name)).toEqual(names);
  });

  it("does not list what a document of SPDX 3 is about, which its bill of materials names", () => {
    const graph = [
      { type: "SpdxDocument", spdxId: "doc", rootElement: ["sbom"] },
      { type: "software_Sbom", spdxId: "sbom", rootElement: ["image"] },
      { type: "software_Package", spdxId: "image", name: "core-image" },
      { type: "software_Package", spdxId: "a", name: "a", software_packageUrl: "pkg:pypi/a@1" },
    ];

    expect(read({ "@graph": graph }).packages.map(({ package: { name } }) => name)).toEqual(["a"]);
  });

  it("leaves out an application that only groups others, and reads these", () => {
    const group = (more: object) => ({ type: "application", name: "front", "bom-ref": "g", ...more });
    const inIt = lib("pkg:npm/a@1", { "bom-ref": "a" });
    const tree = { dependencies: [{ ref: "g", dependsOn: ["a"] }] };
    const names = (...found: Parameters<typeof cycloneDx>) =>
      cycloneDx(...found).packages.map(({ package: each }) => each.name);

    expect(names([group({ components: [inIt] })])).toEqual(["a"]);
    expect(names([group({}), inIt], tree)).toEqual(["a"]);
    expect(names([group({}), inIt])).toEqual(["front", "a"]);
    expect(names([group({ version: "1" }), inIt], tree)).toEqual(["front", "a"]);
    expect(names([group({ purl: "pkg:npm/front" }), inIt], tree)).toEqual(["front", "a"]);
  });

  it("reads nested components, and the subject of the document if it is a package", () => {
    const nested = lib("pkg:npm/a@1", { components: [lib("pkg:npm/b@2", { components: [lib("pkg:npm/c@3")] })] });
    const about = { metadata: { component: lib("pkg:npm/app@0", { name: "app" }) } };
    const image = { metadata: { component: { type: "container", name: "image", components: [lib("pkg:npm/d@4")] } } };

    expect(cycloneDx([nested, lib("pkg:npm/e@5")], about).packages.map(shown)).toEqual(
      ["app 0", "a 1", "b 2", "c 3", "e 5"].map((each) => `${each} (npm)`),
    );
    expect(cycloneDx([], image)).toMatchObject({ subject: { name: "image" }, packages: [{ package: { name: "d" } }] });
  });

  it("gives packages the document's more detailed description of their release", () => {
    const system = {
      type: "operating-system",
      name: "debian",
      version: "12",
      properties: [{ name: "syft:distro:versionCodename", value: "bookworm" }],
    };
    const purls = ["pkg:deb/debian/a@1?distro=debian-12", "pkg:deb/debian/b@1", "pkg:deb/debian/c@1?distro=debian-11"];

    const { packages } = cycloneDx([...purls.map((purl) => lib(purl)), system]);

    const bookworm = { did: "debian", versionId: "12", versionCodeName: "bookworm" };
    expect(packages.map(({ distribution }) => distribution)).toEqual([
      bookworm,
      bookworm,
      { did: "debian", versionId: "11" },
    ]);
  });

  it.each([
    ["pkg:rpm/openEuler/curl@7.79.1-1?distro=openEuler-22.03", "22.03 (LTS-SP3)", "openEuler 22.03 (LTS-SP3)"],
    ["pkg:rpm/openEuler/curl@7.79.1-1?distro=openEuler-22.03-LTS-SP3", "22.03 (LTS-SP3)", "openEuler 22.03 (LTS-SP3)"],
    ["pkg:rpm/openEuler/curl@7.79.1-1?distro=openEuler-22.03-LTS-SP3", "22.03", "openEuler"],
    ["pkg:rpm/openEuler/curl@7.79.1-1", "", "openEuler 22.03 (LTS-SP3)"],
    ["pkg:rpm/openeuler/curl@7.79.1-1?distro=openeuler-22.03", "22.03-LTS-SP3", ""],
  ])("reads the service pack of openEuler from what Syft states: %s, %s, %s", (purl, version, prettyName) => {
    const properties = [
      { name: "syft:distro:id", value: "openEuler" },
      { name: "syft:distro:versionID", value: "22.03" },
      { name: "syft:distro:version", value: version },
      { name: "syft:distro:prettyName", value: prettyName },
    ];
    const own =
      version.includes("-LTS") && !version.includes("(")
        ? { version, properties: [] }
        : { version: "22.03", properties };

    const { packages } = cycloneDx([lib(purl), { type: "operating-system", name: "openEuler", ...own }]);

    const keys = packages.map((each) => advisoryKeys(allDistributions)(each.distribution ?? {}, []));
    expect(keys).toEqual([["openeuler:22.03-lts-sp3"]]);
  });

  it("keeps CPE, locations and references", () => {
    const component = lib("pkg:npm/a@1", {
      "bom-ref": "r1",
      cpe: "cpe:2.3:a:a:a:1:*:*:*:*:*:*:*",
      evidence: { occurrences: [{ location: "/app/a/package.json" }] },
      properties: [{ name: "syft:location:0:path", value: "/app/b/package.json" }],
    });

    expect(cycloneDx([component]).packages).toMatchObject([
      {
        reference: "r1",
        package: { cpe: "cpe:2.3:a:a:a:1:*:*:*:*:*:*:*" },
        locations: ["app/a/package.json", "app/b/package.json"],
      },
    ]);
  });

  it.each([
    ["a package", { name: "a", versionInfo: "1", ...purlReference("pkg:pypi/a@1") }, ["a 1 (pypi)"]],
    ["a package without a package URL", { name: "a", versionInfo: "NOASSERTION" }, ["a  ()"]],
    ["the image", { name: "a", primaryPackagePurpose: "CONTAINER", ...purlReference("pkg:oci/a@1") }, []],
    [
      "an image with the package URL of a package",
      { name: "a", primaryPackagePurpose: "CONTAINER", ...purlReference("pkg:pypi/a@1") },
      ["a 1 (pypi)"],
    ],
    ["a source package", { name: "a", primaryPackagePurpose: "SOURCE" }, []],
    [
      "a source package of a distribution",
      { name: "a", primaryPackagePurpose: "SOURCE", ...purlReference("pkg:deb/debian/a@1?distro=debian-12") },
      [],
    ],
    [
      "the source code of a language's package",
      { name: "a", primaryPackagePurpose: "SOURCE", ...purlReference("pkg:pypi/a@1") },
      ["a 1 (pypi)"],
    ],
    [
      "a file of a package",
      { name: "a", primaryPackagePurpose: "FILE", ...purlReference("pkg:npm/a@1") },
      ["a 1 (npm)"],
    ],
    ["a file", { name: "a", primaryPackagePurpose: "FILE", ...purlReference("pkg:generic/a@1") }, []],
    ...["DEVICE", "FILE", "FIRMWARE"].map((primaryPackagePurpose): [string, object, readonly string[]] => [
      `a CPE name of the purpose ${primaryPackagePurpose}`,
      {
        ...{ name: "a", versionInfo: "1", primaryPackagePurpose },
        externalRefs: [{ referenceType: "cpe23Type", referenceLocator: "cpe:2.3:o:a:a:1:*:*:*:*:*:*:*" }],
      },
      ["a 1 ()"],
    ]),
    ["a device", { name: "a", primaryPackagePurpose: "DEVICE" }, []],
    ["firmware", { name: "a", versionInfo: "1", primaryPackagePurpose: "FIRMWARE" }, ["a 1 ()"]],
    [
      "the source package as Trivy writes it",
      {
        name: "libssl3",
        sourceInfo: "built package from: openssl 3.0.11-1",
        ...purlReference("pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12"),
      },
      ["libssl3 3.0.11-1 (debian:12) <- openssl 3.0.11-1"],
    ],
  ])("reads of SPDX %s", (_, found, expected) => {
    expect(spdx([found]).packages.map(shown)).toEqual(expected);
  });

  it("reads Syft, and gives a package whose file the distribution owns the distribution's release", () => {
    const artifacts = [
      { id: "1", name: "six", version: "1.16.0", purl: "pkg:pypi/six@1.16.0", locations: [{ path: "/usr/lib/six" }] },
      {
        id: "2",
        name: "python3-six",
        version: "1.16.0-4",
        purl: "pkg:deb/debian/python3-six@1.16.0-4?distro=debian-12",
      },
      {
        id: "3",
        name: "perl",
        version: "5-1",
        purl: "pkg:rpm/x/perl@5-1",
        metadata: { modularityLabel: "perl:5:8:1" },
      },
    ];
    const relationships = [
      { parent: "2", child: "1", type: "ownership-by-file-overlap" },
      { parent: "2", child: "3", type: "contains" },
    ];
    const distro = { id: "debian", versionID: "12", versionCodename: "bookworm" };

    const { packages } = syft(artifacts, { distro, artifactRelationships: relationships });

    expect(packages.map(shown)).toEqual([
      "six 1.16.0 (pypi python3-six debian:12)",
      "python3-six 1.16.0-4 (debian:12)",
      "perl 5-1 (x:)",
    ]);
    expect(packages[0]?.locations).toEqual(["usr/lib/six"]);
    expect(packages[2]?.package.module).toBe("perl:5");
  });

  it.each([
    ["as we write it", { relationshipType: "CONTAINS" }, "six 1 (pypi python3-six debian:12)"],
    [
      "as Syft writes it",
      { relationshipType: "OTHER", comment: "ownership-by-file-overlap: indicates that the parent package claims …" },
      "six 1 (pypi python3-six debian:12)",
    ],
    ["of another kind", { relationshipType: "DEPENDENCY_OF" }, "six 1 (pypi)"],
  ])("reads who owns a package from the relationships of SPDX, %s", (_, relationship, expected) => {
    const packages = [
      { SPDXID: "a", name: "six", ...purlReference("pkg:pypi/six@1") },
      { SPDXID: "b", name: "python3-six", ...purlReference("pkg:deb/debian/python3-six@1-4?distro=debian-12") },
    ];
    const relationships = [{ spdxElementId: "b", relatedSpdxElement: "a", ...relationship }];

    expect(spdx(packages, { relationships }).packages.map(shown)).toEqual([expected, "python3-six 1-4 (debian:12)"]);
  });

  it("reads the stream of a module from an annotation of Trivy in SPDX", () => {
    const annotations = [{ annotator: "Tool: trivy-0.57.1", comment: "Modularitylabel: a:1:80:ab" }];

    const { packages } = spdx([{ name: "b", ...purlReference("pkg:rpm/almalinux/b@1-1"), annotations }]);

    expect(packages.map((found) => found.package.module)).toEqual(["a:1"]);
  });

  it.each([
    ["Syft", "acquired package info from RPM DB: /var/lib/a, /var/lib/b", ["var/lib/a", "var/lib/b"]],
    ["OSV-SCALIBR", "Identified by the os/dpkg extractor from var/lib/a", ["var/lib/a"]],
    [
      "OSV-SCALIBR for several",
      "Identified by the a/b extractor from 3 locations, including x/a and x/b",
      ["x/a", "x/b"],
    ],
    ["Trivy", "package found in: app/yarn.lock", ["app/yarn.lock"]],
  ])("reads where a package was found from SPDX of %s", (_, sourceInfo, locations) => {
    expect(spdx([{ name: "a", sourceInfo }]).packages[0]?.locations).toEqual(locations);
  });

  it("keeps an entry for a source package whose packages are not in the document", () => {
    const source = lib("pkg:deb/debian/curl@7?distro=debian-12", { name: "curl", tags: ["source"] });
    const evidence = { identity: [{ methods: [{ value: "libcurl4" }] }] };

    expect(cycloneDx([{ ...source, evidence }]).packages.map(shown)).toEqual(["curl 7 (debian:12)"]);
  });

  it("keeps the one entry of SPDX that the document is about", () => {
    const only = { SPDXID: "SPDXRef-a", name: "a" };

    expect(spdx([only], { documentDescribes: ["SPDXRef-a"] }).packages.map(shown)).toEqual(["a  ()"]);
  });

  it("ignores packages that own each other", () => {
    const artifacts = ["1", "2"].map((id) => ({ id, name: id, version: "1", purl: `pkg:npm/${id}@1` }));
    const relationships = [
      { parent: "1", child: "2", type: "ownership-by-file-overlap" },
      { parent: "2", child: "1", type: "ownership-by-file-overlap" },
    ];

    expect(syft(artifacts, { artifactRelationships: relationships }).packages.map(shown)).toEqual([
      "1 1 (npm)",
      "2 1 (npm)",
    ]);
  });

  it("makes a problem of an entry that cannot be read, and reads the others", () => {
    const bad = [lib("pkg:npm"), { type: "library" }, lib(`pkg:npm/a@${"1".repeat(2000)}`)];

    const { packages, problems } = cycloneDx([...bad, lib("pkg:npm/a@1")]);

    expect(packages.map(shown)).toEqual(["a 1 (npm)"]);
    expect(problems.map(({ at }) => at)).toEqual(["components[0]", "components[1]", "components[2]"]);
    expect(cycloneDx(Array.from({ length: 30 }, () => lib("x"))).problems.at(-1)).toEqual({
      at: "",
      message: "and 10 more entries that cannot be read",
    });
  });

  it.each([
    ["no known form", "bom", "expected JSON"],
    ["JSON of something else", "{}", "expected CycloneDX, SPDX or Syft"],
    ["a list", "[7]", "expected CycloneDX, SPDX or Syft"],
    ["an empty list", "[]", "expected 1 to 1000 documents"],
    ["SPDX in YAML", "---\n# made by hand\nspdxVersion: SPDX-2.3\n", "SPDX in YAML is not read: convert it to JSON"],
    ["SPDX in YAML that begins with its id", "SPDXID: a\nspdxVersion: SPDX-2.3\n", "SPDX in YAML is not read"],
    ["SPDX of another version", '{"spdxVersion":"SPDX-3.0"}', "found SPDX-3.0"],
    [
      "components that nest without end",
      `${'{"components":['.repeat(600)}${"]}".repeat(600)}`,
      "nested more than 500 levels",
    ],
  ])("refuses %s", (_, text, message) => {
    const parse = () => readSbom(new TextEncoder().encode(text), "sbom");

    expect(parse).toThrow(message);
    expect(parse).toThrow(expect.objectContaining({ code: "malformed_sbom" }));
  });

  it("throws only malformed_sbom", () => {
    const members = ["components", "packages", "artifacts", "purl", "name", "metadata", "properties", "externalRefs"];
    const document = fc.dictionary(fc.constantFrom(...members), fc.jsonValue({ maxDepth: 4 }));
    const heads = [{ bomFormat: "CycloneDX" }, { spdxVersion: "SPDX-2.3" }, { schema: {}, artifacts: [] }, {}];

    fc.assert(
      fc.property(document, fc.constantFrom(...heads), (members, head) => {
        try {
          expect(read({ ...members, ...head }).packages).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
          expect(error).toHaveProperty("code", "malformed_sbom");
        }
      }),
      { seed: 20240817, numRuns: 500 },
    );
  });

  it.each([
    ["Syft's CycloneDX of a folder", cycloneDxAbout({ type: "file", name: "/srv" }), true],
    ["Trivy's CycloneDX of a root", cycloneDxAbout({ type: "application", name: "/srv" }), true],
    ["Syft's CycloneDX of an image", cycloneDxAbout({ type: "container", name: "app" }), undefined],
    [
      "an image of an unusual type",
      cycloneDxAbout({ type: "application", name: "app", purl: "pkg:oci/app@1" }),
      undefined,
    ],
    ["one without a type", cycloneDxAbout({ name: "app" }), undefined],
    ["Syft's SPDX of a folder", spdxAbout("FILE"), true],
    ["Syft's SPDX of an image", spdxAbout("CONTAINER"), undefined],
    ["SPDX without a purpose", spdxAbout(undefined), undefined],
    ["Syft's own form of a folder", syftAbout("directory"), true],
    ["Syft's own form of an image", syftAbout("image"), undefined],
  ])("tells folders from images of containers: %s", (_, document, isFolder) => {
    expect(read(document).subject?.isFolder).toBe(isFolder);
  });
});

function cycloneDxAbout(component: object): object {
  return { bomFormat: "CycloneDX", specVersion: "1.6", metadata: { component }, components: [] };
}

function spdxAbout(primaryPackagePurpose: string | undefined): object {
  const root = { SPDXID: "SPDXRef-root", name: "app", primaryPackagePurpose };
  const relationships = [
    { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: root.SPDXID },
  ];
  return { spdxVersion: "SPDX-2.3", SPDXID: "SPDXRef-DOCUMENT", name: "app", packages: [root], relationships };
}

function syftAbout(type: string): object {
  return { artifacts: [], schema: { version: "16.0.0" }, source: { type, name: "app" }, descriptor: { name: "syft" } };
}
