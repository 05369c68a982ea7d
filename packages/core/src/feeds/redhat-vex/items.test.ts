import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import { withoutRecords } from "../shared/fixtures/items-of.ts";
import { csafDocument, type SampleDocument } from "./fixtures/csaf-document.ts";
import { documentItems } from "./items.ts";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function advisoriesOf(sample: SampleDocument): readonly Advisory[] {
  return withoutRecords(documentItems(encode(csafDocument(sample)), "file")).map((each) => {
    if (each.kind === "problem") throw new Error(each.message);
    return each.item;
  });
}

const products = {
  "BaseOS-8": "cpe:/o:redhat:enterprise_linux:8::baseos",
  "BaseOS-8.6.0.Z.EUS": "cpe:/o:redhat:rhel_eus:8.6::baseos",
  "AppStream-8": "cpe:/a:redhat:enterprise_linux:8::appstream",
  rhel_8: "cpe:/o:redhat:enterprise_linux:8",
  "8Base-RHOSE-4.12": "cpe:/a:redhat:openshift:4.12::el8",
  storage_3: "cpe:/a:redhat:storage:3",
};
const rpm = (name: string, version: string, more = "") => `pkg:rpm/redhat/${name}@${version}${more}`;

describe("csafAdvisories", () => {
  it("makes one advisory of what differs only in architecture, version or product", () => {
    const components = {
      "curl.x86_64": rpm("curl", "7.61.1-33.el8", "?arch=x86_64&epoch=1"),
      "curl.s390x": rpm("curl", "7.61.1-33.el8", "?arch=s390x&epoch=1"),
      "curl.src": rpm("curl", "7.61.1-33.el8", "?arch=src&epoch=1"),
      "curl-debuginfo.x86_64": rpm("curl-debuginfo", "7.61.1-33.el8", "?arch=x86_64&epoch=1"),
      "old.x86_64": rpm("curl", "7.61.1-30.el8_8", "?arch=x86_64&epoch=1"),
      "old.s390x": rpm("curl", "7.61.1-30.el8_8", "?arch=s390x&epoch=1"),
    };
    const fixed = ["BaseOS-8", "AppStream-8"].flatMap((product) =>
      Object.keys(components).map((component) => `${product}:${component}`),
    );
    const remediations = [
      { category: "vendor_fix", url: "https://access.redhat.com/errata/RHSA-2024:1", product_ids: fixed },
    ];
    const vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";

    expect(
      advisoriesOf({ products, components, statuses: { fixed }, impact: "Important", vector, remediations }),
    ).toEqual([
      {
        id: expect.stringMatching(/^redhat\/CVE-2024-0001\/rhel:8\/curl\/[0-9a-f]{16}$/),
        updater: "redhat",
        name: "CVE-2024-0001",
        aliases: ["RHSA-2024:1"],
        description: "a title",
        issuedAt: Date.UTC(2024, 2, 5),
        links: ["https://access.redhat.com/security/cve/CVE-2024-0001", "https://access.redhat.com/errata/RHSA-2024:1"],
        ecosystem: "rhel:8",
        packageName: "curl",
        packageKind: "BINARY",
        arch: { operation: "pattern match", value: "s390x|x86_64" },
        cpes: [products["AppStream-8"], products["BaseOS-8"]],
        status: "affected",
        ranges: [{ fixed: "1:7.61.1-30.el8_8" }, { fixed: "1:7.61.1-33.el8" }],
        versions: [],
        severity: vector,
        normalizedSeverity: "High",
      },
    ]);
  });

  it("keeps what is not fixed, not affected or not known, with the vendor's word", () => {
    const components = { curl: rpm("curl", "1-1", "?arch=src"), "lib curl": "pkg:rpm/redhat/libcurl", vim: "" };
    const found = advisoriesOf({
      products,
      components,
      statuses: {
        known_affected: ["rhel_8:curl", "rhel_8:vim"],
        known_not_affected: ["rhel_8:lib curl"],
        under_investigation: ["storage_3:curl"],
      },
      impact: "Low",
      remediations: [
        { category: "no_fix_planned", details: "Will not fix", product_ids: ["rhel_8:curl"] },
        { category: "none_available", details: "Fix deferred", product_ids: ["rhel_8:vim"] },
        { category: "workaround", details: "Do not use it.", product_ids: ["rhel_8:curl", "rhel_8:vim"] },
      ],
    });

    expect(
      found.map(({ ecosystem, packageName, packageKind, status, ranges, remediation }) => {
        return [ecosystem, packageName, packageKind, status, ranges, remediation];
      }),
    ).toEqual([
      ["rhel:8", "curl", "SOURCE", "affected", [{}], "Will not fix"],
      ["rhel:8", "vim", "SOURCE", "affected", [{}], "Fix deferred"],
      ["rhel:8", "libcurl", "BINARY", "not-affected", [{}], undefined],
      ["rhel", "curl", "SOURCE", "undetermined", [{}], undefined],
    ]);
  });

  it.each([
    [
      "the module of its package URL",
      rpm("npm", "8-1.module%2Bel8", "?arch=x86_64&rpmmod=nodejs:16:8060:abc"),
      "nodejs:16",
    ],
    ["no module", rpm("npm", "8-1.el8", "?arch=x86_64"), undefined],
  ])("finds %s", (_, purl, module) => {
    const [found] = advisoriesOf({ products, components: { npm: purl }, statuses: { fixed: ["AppStream-8:npm"] } });

    expect(found?.module).toBe(module);
  });

  it.each([
    ["an image of a container", "pkg:oci/app@sha256:1?tag=4.12"],
    ["a rpm of another vendor", "pkg:rpm/fedora/curl@1-1?arch=x86_64"],
    ["a build for Flatpak", rpm("firefox", "128-1.el10", "?arch=x86_64&rpmmod=rhel10")],
    ["a fix without a version", "pkg:rpm/redhat/curl"],
    ["a name without a package URL, of a layered product", ""],
    ["a package URL that cannot be read", "pkg:rpm/redhat/%"],
  ])("says nothing of %s", (_, purl) => {
    const statuses = { fixed: ["8Base-RHOSE-4.12:x"], known_affected: purl === "" ? ["storage_3:x"] : [] };

    expect(advisoriesOf({ products, components: { x: purl }, statuses })).toEqual([]);
  });

  it("follows a package through its module to the product", () => {
    const part = (id: string, component: string, whole: string) => ({
      category: "default_component_of",
      full_product_name: { name: id, product_id: id },
      product_reference: component,
      relates_to_product_reference: whole,
    });
    const [found] = advisoriesOf({
      products,
      components: { npm: rpm("npm", "8-1.module", "?arch=x86_64"), module: "pkg:rpmmod/redhat/nodejs@16:8060:abc" },
      statuses: { fixed: ["AppStream-8:module:npm"] },
      relationships: [
        part("AppStream-8:module", "module", "AppStream-8"),
        part("AppStream-8:module:npm", "npm", "AppStream-8:module"),
      ],
    });

    expect(found).toMatchObject({ packageName: "npm", module: "nodejs:16", cpes: [products["AppStream-8"]] });
  });

  it("skips a product that the vendor found no impact on", () => {
    const sample = {
      products,
      components: { curl: rpm("curl", "1-1") },
      statuses: { known_affected: ["rhel_8:curl"] },
    };
    const vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N";

    expect(advisoriesOf({ ...sample, vector })).toEqual([]);
    expect(advisoriesOf({ ...sample, vector, impact: "Low" })).toHaveLength(1);
  });

  it("has nothing of a document that was deleted", () => {
    const sample = { products, components: { curl: rpm("curl", "1-1") }, statuses: { fixed: ["rhel_8:curl"] } };

    expect(advisoriesOf({ ...sample, status: "deleted" })).toEqual([]);
    expect(advisoriesOf(sample)).toHaveLength(1);
  });

  it("drops a document whose products are made of themselves", () => {
    const part = (id: string, whole: string) => ({
      category: "default_component_of",
      full_product_name: { product_id: id },
      product_reference: whole,
      relates_to_product_reference: whole,
    });
    const statuses = { fixed: ["a"] };
    const cycle = csafDocument({ products, components: {}, statuses, relationships: [part("a", "b"), part("b", "a")] });

    expect(withoutRecords(documentItems(encode(cycle), "file"))).toEqual([
      { kind: "problem", at: "file", message: 'found more than 5 relationships from the product "a"' },
    ]);
  });

  it.each([
    ["a page", "<!doctype html>", /expected JSON/],
    [
      "a document that is cut off",
      JSON.stringify(csafDocument({ products, components: {}, statuses: {} })).slice(0, -9),
      /expected JSON/,
    ],
    ["a document without its head", '{"vulnerabilities":[]}', /expected an object/],
    ["another kind of document", '{"document":{"category":"openvex"}}', /expected a CSAF document/],
    [
      "a status that is no list",
      JSON.stringify(csafDocument({ products, components: {}, statuses: {} })).replace(
        '"product_status":{}',
        '"product_status":{"fixed":7}',
      ),
      /expected an array, found 7/,
    ],
  ])("drops %s", (_, text, message) => {
    expect(withoutRecords(documentItems(new TextEncoder().encode(text), "file"))).toEqual([
      { kind: "problem", at: "file", message: expect.stringMatching(message) },
    ]);
  });
});
