import { describe, expect, it } from "vitest";
import { contentSetCpes, contentSetName, defaultContentSets } from "./content-set-cpes.ts";

describe("contentSetCpes", () => {
  it.each([
    ["rhel-8-for-x86_64-baseos-rpms", "cpe:/o:redhat:enterprise_linux:8::baseos"],
    ["rhel-9-for-aarch64-appstream-debug-rpms", "cpe:/a:redhat:enterprise_linux:9::appstream"],
    ["rhel-8-for-x86_64-baseos-rpms__8", "cpe:/o:redhat:enterprise_linux:8::baseos"],
    ["rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_6", "cpe:/o:redhat:rhel_eus:8.6::baseos"],
    ["rhel-9-for-ppc64le-appstream-e4s-source-rpms__9_DOT_10", "cpe:/a:redhat:rhel_e4s:9.10::appstream"],
    ["rhel-8-for-x86_64-appstream-aus-rpms__8_DOT_4", "cpe:/a:redhat:rhel_aus:8.4::appstream"],
    ["rhel-8-for-x86_64-appstream-tus-rpms__8_DOT_4", "cpe:/a:redhat:rhel_tus:8.4::appstream"],
    ["codeready-builder-for-rhel-9-x86_64-rpms", "cpe:/a:redhat:enterprise_linux:9::crb"],
    ["codeready-builder-for-rhel-9-x86_64-eus-rpms__9_DOT_2", "cpe:/a:redhat:rhel_eus:9.2::crb"],
    ["ubi-8-baseos-rpms", "cpe:/o:redhat:enterprise_linux:8::baseos"],
    ["ubi-9-for-x86_64-appstream-rpms", "cpe:/a:redhat:enterprise_linux:9::appstream"],
    ["ubi-8-codeready-builder-rpms", "cpe:/a:redhat:enterprise_linux:8::crb"],
    ["rhel-7-server-rpms", "cpe:/o:redhat:enterprise_linux:7::server"],
    ["rhel-7-server-optional-rpms", "cpe:/o:redhat:enterprise_linux:7::server"],
    ["rhel-8-for-x86_64-sap-solutions-rpms", "cpe:/a:redhat:enterprise_linux:8::sap_hana"],
  ])("of %s", (name, cpe) => {
    expect(contentSetCpes(name)).toEqual([cpe]);
  });

  it.each([
    "rhocp-4.16-for-rhel-9-x86_64-rpms",
    "3scale-amp-2-for-rhel-8-x86_64-rpms",
    "rhel-8-for-x86_64-baseos-eus-rpms", // of which minor release?
    "rhel-8-for-x86_64-baseos-eus-rpms__9_DOT_6",
    "rhel-x-for-x86_64-baseos-rpms",
    "rhel-8-rpms",
    "rhel-8-for-x86_64-baseos",
    "epel",
    "aea2214b263845539cc9b774ac8dd4c7",
    "",
  ])("returns none for %j", (name) => {
    expect(contentSetCpes(name)).toEqual([]);
  });
});

describe("contentSetName", () => {
  it("removes a major release and keeps a minor one", () => {
    expect(["a-rpms__8", "a-eus-rpms__9_DOT_2", "a-rpms"].map(contentSetName)).toEqual([
      "a-rpms",
      "a-eus-rpms__9_DOT_2",
      "a-rpms",
    ]);
  });
});

describe("defaultContentSets", () => {
  it.each([7, 8, 10])("of release %i are of that release", (major) => {
    const cpes = defaultContentSets(major).flatMap(contentSetCpes);

    expect(cpes.length).toBe(defaultContentSets(major).length);
    expect(cpes.every((cpe) => cpe.includes(`:enterprise_linux:${major}:`))).toBe(true);
  });
});
