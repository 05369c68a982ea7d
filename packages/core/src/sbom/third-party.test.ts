import { describe, expect, it } from "vitest";
import { parseDigest } from "../model/digest.ts";
import { thirdPartyKey } from "../model/package.ts";
import { purlReport } from "./purl-report.ts";
import { readSbom } from "./read-sbom.ts";

const deb = "pkg:deb/debian/docker-ce@5:27.1-1?distro=debian-12";
const rpm = "pkg:rpm/centos/docker-ce@27.1-1.el9?distro=centos-9";
const rocky = "pkg:rpm/rocky/chromium@120.0-1.el9?distro=rocky-9.4";
const kali = "pkg:deb/kali/docker-ce@5:27.1-1?distro=kali-2024.1";
const apk = "pkg:apk/alpine/nginx@1.27.3-r1?distro=alpine-3.22";
const alpm = "pkg:alpm/arch/yay@12.0-1?distro=arch";
const docker = "Docker <support@docker.com>";

const cycloneDx = (purl: string, more: object) => ({
  bomFormat: "CycloneDX",
  components: [{ type: "library", name: "docker-ce", purl, ...more }],
});
const xml = (purl: string, maker: string) =>
  `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components><component type="library">${maker}<name>docker-ce</name><purl>${purl}</purl></component></components></bom>`;
const spdx = (purl: string, more: object) => ({
  spdxVersion: "SPDX-2.3",
  packages: [{ name: "docker-ce", externalRefs: [{ referenceType: "purl", referenceLocator: purl }], ...more }],
});
const tags = (purl: string, agent: string) =>
  `SPDXVersion: SPDX-2.3\nPackageName: docker-ce\nSPDXID: SPDXRef-a\n${agent}\nExternalRef: PACKAGE-MANAGER purl ${purl}\n`;
const spdx3 = (purl: string, name: string, email: string) => ({
  "@graph": [
    { type: "software_Package", spdxId: "a", name: "docker-ce", software_packageUrl: purl, suppliedBy: "b" },
    {
      type: "Organization",
      spdxId: "b",
      name,
      externalIdentifier: [{ externalIdentifierType: "email", identifier: email }],
    },
  ],
});
const syft = (purl: string, metadata: object) => ({ artifacts: [{ name: "docker-ce", purl, metadata }], schema: {} });

function makersIn(document: object | string): readonly string[] {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const { packages } = readSbom(Buffer.from(text), "sbom");
  return packages.flatMap(({ repositories }) =>
    repositories.flatMap(({ key, name = "" }) => (key === thirdPartyKey ? [name] : [])),
  );
}

describe("thirdPartyOf", () => {
  it.each<[title: string, document: object | string, makers: readonly string[]]>([
    ["CycloneDX of Syft", cycloneDx(deb, { publisher: docker }), ["docker"]],
    ["CycloneDX of Trivy", cycloneDx(deb, { supplier: { name: docker } }), ["docker"]],
    ["CycloneDX in XML", xml(deb, "<publisher>Docker &lt;support@docker.com&gt;</publisher>"), ["docker"]],
    ["CycloneDX in XML of Trivy", xml(rpm, "<supplier><name>Docker</name></supplier>"), ["Docker"]],
    ["SPDX, a person", spdx(deb, { originator: "Person: Docker (support@docker.com)" }), ["docker"]],
    ["SPDX, an organization", spdx(rpm, { supplier: "Organization: Docker" }), ["Docker"]],
    ["SPDX without a maker", spdx(rpm, { originator: "NOASSERTION", supplier: "NOASSERTION" }), []],
    ["SPDX as tags", tags(deb, "PackageOriginator: Person: Docker (support@docker.com)"), ["docker"]],
    ["SPDX 3", spdx3(deb, "Docker", "support@docker.com"), ["docker"]],
    ["Syft's own form, the maintainer", syft(deb, { maintainer: docker }), ["docker"]],
    ["Syft's own form, the vendor", syft(rpm, { vendor: "Docker" }), ["Docker"]],
    [
      "the version alone",
      cycloneDx("pkg:deb/debian/postgresql-16@16.3-1.pgdg120%2B1?distro=debian-12", {}),
      ["postgresql"],
    ],
    ["the distribution's maintainer", cycloneDx(deb, { publisher: "Debian Go Team <team@tracker.debian.org>" }), []],
    ["the distribution's vendor", syft(rpm, { vendor: "CentOS" }), []],
    ["the vendor of another distribution", syft(rpm, { vendor: "Fedora Project" }), ["Fedora Project"]],
    ["EPEL on Rocky Linux", cycloneDx(rocky, { publisher: "Fedora Project" }), ["Fedora Project"]],
    ["Rocky Linux", cycloneDx(rocky, { publisher: "Rocky Enterprise Software Foundation" }), []],
    ["Kali's package on Debian", cycloneDx(deb, { publisher: "Kali Developers <devel@kali.org>" }), ["Kali Linux"]],
    ["Kali's package on Kali", cycloneDx(kali, { publisher: "Kali Developers <devel@kali.org>" }), []],
    ["nginx on Alpine", cycloneDx(apk, { publisher: "NGINX Packaging <nginx-packaging@f5.com>" }), ["nginx"]],
    ["Alpine", cycloneDx(apk, { publisher: "Natanael Copa <ncopa@alpinelinux.org>" }), []],
    ["the AUR on Arch Linux", cycloneDx(alpm, { publisher: "Unknown Packager" }), ["Unknown Packager"]],
    ["Arch Linux", cycloneDx(alpm, { publisher: "Pierre Schmitz <pierre@archlinux.org>" }), []],
    ["no vendor", syft(rpm, { vendor: "" }), []],
    ["an author of a language's package", cycloneDx("pkg:npm/docker-ce@1.0.0", { publisher: docker }), []],
  ])("names who made a package that the distribution did not make: %s", (_, document, makers) => {
    expect(makersIn(document)).toEqual(makers);
  });

  it("names it in a list of package URLs", () => {
    const purl = "pkg:deb/debian/nodejs@22.1.0-1nodesource1?distro=debian-12";
    const { repositories } = purlReport([purl], parseDigest(`sha256:${"0".repeat(64)}`));

    expect(Object.values(repositories)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "nodesource", key: thirdPartyKey })]),
    );
  });
});
