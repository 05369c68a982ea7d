import { describe, expect, it } from "vitest";
import { toCycloneDx } from "./cyclonedx.ts";
import { emptyImage, sampleImage, stamp } from "./fixtures/sample-images.ts";
import { imageFacts, imagePurl } from "./image-facts.ts";
import type { ReportedImage } from "./reported-image.ts";
import { toSpdx } from "./spdx.ts";
import { toSpdx3 } from "./spdx3.ts";

/** The empty image with labels of OCI. */
function labelled(labels: Readonly<Record<string, string>>): ReportedImage {
  const { vulnerabilities: _, ...image } = emptyImage();
  const named = Object.entries(labels).map(([name, text]) => [`org.opencontainers.image.${name}`, text]);
  const { platform = { os: "linux", architecture: "amd64" } } = image;
  return { ...image, config: { platform, diffIds: [], history: [], labels: Object.fromEntries(named) } };
}

describe("imageFacts", () => {
  it.each([
    ["vendor", "Acme <https://acme.example>", { supplier: { name: "Acme", url: "https://acme.example" } }],
    ["vendor", "Acme <a@acme.example>", { supplier: { name: "Acme", email: "a@acme.example" } }],
    ["vendor", "  ", { supplier: undefined }],
    ["authors", "A <a@acme.example>", { authors: [{ name: "A", email: "a@acme.example" }] }],
    [
      "authors",
      "A <a@acme.example>, Acme, Inc. <b@acme.example>; C",
      {
        authors: [
          { name: "A", email: "a@acme.example" },
          { name: "Acme, Inc.", email: "b@acme.example" },
          { name: "C" },
        ],
      },
    ],
    ["authors", "Acme, Inc.", { authors: [{ name: "Acme, Inc." }] }],
    ["authors", " ,", { authors: [] }],
    ["licenses", "mit or apache-2.0", { license: "MIT OR Apache-2.0" }],
    ["licenses", "as is", { license: undefined }],
    ["source", "https://git.example/a", { sourceAddress: "https://git.example/a" }],
    ["url", "javascript:alert(1)", { homepage: undefined }],
    ["version", "1.0", { version: "1.0" }],
    ["description", "a".repeat(600), { description: "a".repeat(512) }],
  ])("has what the label %s says: %s", (name, text, facts) => {
    expect(imageFacts(labelled({ [name]: text }), stamp)).toMatchObject(facts);
  });

  it("has the supplier that the user names before that of the label, and documents have it in both places", () => {
    const image = labelled({ vendor: "Acme" });
    const supplierIn = (supplier?: string) => {
      const { metadata } = JSON.parse(JSON.stringify(toCycloneDx(image, { ...stamp, supplier })));
      return [metadata.supplier.name, metadata.component.supplier.name];
    };

    expect([supplierIn(), supplierIn("Other")]).toEqual([
      ["Acme", "Acme"],
      ["Other", "Other"],
    ]);
  });
});

describe("documents of an image under several names", () => {
  const digest = `sha256:${"a".repeat(64)}`;

  it.each([
    ["CycloneDX", toCycloneDx],
    ["SPDX", toSpdx],
    ["SPDX 3", toSpdx3],
  ] as const)("in %s differ only where the name is", (_, write) => {
    const [first = [], ...others] = [
      "h.example/a/web:1",
      `h.example/a/web:1@${digest}`,
      `h.example/a/web@${digest}`,
    ].map((reference) => JSON.stringify(write({ ...sampleImage(), reference }, stamp), null, 1).split("\n"));

    for (const other of others) {
      const differing = other.filter((line, at) => line !== first[at]);
      expect(differing.filter((line) => !/"h\.example\/a\/web[:@]|"pkg:oci\/web@/.test(line))).toEqual([]);
    }
  });
});

describe("imagePurl", () => {
  it.each([
    ["registry.example/acme/web:1.0", "repository_url=registry.example%2Facme%2Fweb&tag=1.0"],
    ["localhost:5000/web@sha256:0", "repository_url=localhost:5000%2Fweb"],
    ["web", "arch=amd64"],
  ])("has the repository and the tag of %s", (reference, qualifiers) => {
    const purl = imagePurl({ ...labelled({}), reference });

    expect(purl).toMatch(/^pkg:oci\/web@sha256:a{64}\?/);
    expect(purl).toContain(qualifiers);
  });
});
