import type { IndexReport } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import {
  basicScanner,
  type ImageBill,
  type ImageScanner,
  type InventoryOutcome,
  type ReportWriter,
  type ScannableImage,
} from "@plimsoll/registry/ports/scanning";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { putManifest, putRepository, putTag } from "../fixtures/test-repositories.ts";

const mediaType = "application/vnd.oci.image.layer.v1.tar+gzip";
const layer = parseDigest(`sha256:${"1".repeat(64)}`);
const image = { config: {}, layers: [{ mediaType, digest: layer, size: 100 }] };

const named = (id: string, name: string, version: string) => ({ [id]: { id, name, version, kind: "BINARY" as const } });
const index: IndexReport = {
  manifestDigest: layer,
  ...{ state: "IndexFinished", success: true },
  packages: {
    ...named("1", "zlib1g", "1.2"),
    ...named("2", "bash", "5.2"),
    ...named("3", "acme", "1.0"),
    ...named("4", "base", "9"),
  },
  distributions: { "1": { id: "1", did: "debian", name: "Debian", versionId: "12" } },
  repositories: {},
  environments: Object.fromEntries(
    ["1", "2", "3", "4"].map((id) => [
      id,
      [{ packageDb: "var/lib/dpkg/status", introducedIn: layer, distributionId: "1", repositoryIds: [] }],
    ]),
  ),
  details: {
    "1": { licenses: [{ text: "Zlib", path: "usr/share/doc/zlib1g/copyright" }], supplier: "Mark <mark@example.org>" },
    "2": { licenses: [{ text: "GPL-3+", expression: "GPL-3.0-or-later" }, { text: "Zlib" }] },
    "3": { licenses: [{ text: "Acme-Licence" }] },
    "4": { homepage: "https://a.example/" },
  },
  dependencies: { "2": { packageIds: ["1"] } },
  coverage: wholeCoverage,
};

async function openImage(outcome: InventoryOutcome, ports: TestRegistryOptions["ports"] = {}) {
  const report = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage } as const;
  const imageScanner = {
    ...basicScanner,
    state: async () => "1",
    index: async () => {},
    find: async () => report,
    inventory: async () => outcome,
  };
  const registry = await openTestRegistry({ ports: { ...ports, imageScanner } });
  const ada = await registry.user("ada");
  const app = await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
  const { digest } = await putManifest(registry, app, { content: image });
  return { registry, path: `/repository/ada/app/manifest/${digest}` };
}

describe("getRepoManifestLicenses", () => {
  it("lists the packages by their names, with what is stated, and counts each licence", async () => {
    const { registry, path } = await openImage({ status: "scanned", index });
    await using _ = registry;

    const { body } = await registry.anonymous("GET", `${path}/licenses`);

    const stated = (text: string, from = "var/lib/dpkg/status") => ({ text, path: from });
    const purl = (name: string, version: string) => `pkg:deb/debian/${name}@${version}?distro=debian-12`;
    expect(body).toEqual({
      status: "scanned",
      data: {
        licenses: [
          { license: "Zlib", packages: 2 },
          { license: "GPL-3.0-or-later", packages: 1 },
          { license: "LicenseRef-Acme-Licence", packages: 1 },
        ],
        packages: [
          {
            name: "acme",
            version: "1.0",
            purl: purl("acme", "1.0"),
            license: "LicenseRef-Acme-Licence",
            statements: [stated("Acme-Licence")],
          },
          { name: "base", version: "9", purl: purl("base", "9"), license: null, statements: [] },
          {
            ...{ name: "bash", version: "5.2", purl: purl("bash", "5.2"), license: "GPL-3.0-or-later AND Zlib" },
            statements: [stated("GPL-3+"), stated("Zlib")],
          },
          {
            ...{ name: "zlib1g", version: "1.2", purl: purl("zlib1g", "1.2"), license: "Zlib" },
            statements: [stated("Zlib", "usr/share/doc/zlib1g/copyright")],
            supplier: "Mark <mark@example.org>",
          },
        ],
        unstated: 1,
        partial: false,
      },
    });
  });

  it.each<[InventoryOutcome]>([[{ status: "queued" }], [{ status: "failed", reason: "it is damaged" }]])(
    "has the state of the scan without an inventory: %j",
    async (outcome) => {
      const { registry, path } = await openImage(outcome);
      await using _ = registry;

      expect((await registry.anonymous("GET", `${path}/licenses`)).body).toEqual({ ...outcome, data: null });
    },
  );

  it("says that there may be more in an image that could not be read completely", async () => {
    const partial = { ...index, coverage: { ...wholeCoverage, status: "partial" as const } };
    const { registry, path } = await openImage({ status: "scanned", index: partial });
    await using _ = registry;

    expect((await registry.anonymous("GET", `${path}/licenses`)).body.data.partial).toBe(true);
  });
});

describe("getRepoManifestReport", () => {
  it.each([
    ["cyclonedx", { details: index.details, dependencies: index.dependencies }],
    ["spdx", { details: index.details, dependencies: index.dependencies }],
    ["csv", { dependencies: index.dependencies }],
    ["sarif", { dependencies: index.dependencies }],
  ])("gives the writer of %s what records of packages say", async (format, expected) => {
    const bills: (ImageBill | undefined)[] = [];
    const reportWriter: ReportWriter = {
      async write({ bill }) {
        bills.push(bill);
        return ["x"];
      },
    };
    const { registry, path } = await openImage({ status: "scanned", index }, { reportWriter });
    await using _ = registry;

    await registry.anonymous("GET", `${path}/security/report?format=${format}`);

    expect(bills).toEqual([expected]);
  });
});

describe("getRepoManifestSecurityDiff", () => {
  it.each([
    [
      "names what packages of both images say differently",
      { status: "scanned", index: { ...index, details: {}, dependencies: { "2": { packageIds: [] } } } } as const,
      {
        licenses: [
          { package: "acme", before: null, after: "LicenseRef-Acme-Licence" },
          { package: "bash", before: null, after: "GPL-3.0-or-later AND Zlib" },
          { package: "zlib1g", before: null, after: "Zlib" },
        ],
        dependencies: [{ package: "bash", added: ["zlib1g"], removed: [] }],
      },
    ],
    ["has nothing of that where the scanner does not say it", { status: "failed", reason: "x" } as const, {}],
  ])("%s", async (_, earlier, expected) => {
    const digests: string[] = [];
    const scanner = {
      ...basicScanner,
      state: async () => "1",
      index: async () => {},
      find: async () => ({ status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage }) as const,
      inventory: async ({ digest }: ScannableImage): Promise<InventoryOutcome> =>
        digest === digests[0] ? earlier : { status: "scanned", index },
    };
    const registry = await openTestRegistry({ ports: { imageScanner: scanner } });
    await using _registry = registry;
    const ada = await registry.user("ada");
    const app = await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
    for (const size of [1, 2]) {
      const content = { config: {}, layers: [{ mediaType, digest: layer, size }] };
      digests.push((await putManifest(registry, app, { content })).digest);
    }

    const path = `/repository/ada/app/manifest/${digests[1]}/security/diff?before=${digests[0]}`;
    const { body } = await registry.anonymous("GET", path);
    const { licenses, dependencies } = body.diff;

    expect({ licenses, dependencies }).toEqual(expected);
  });
});

describe("listImagesWith", () => {
  const pagesOf = (digests: readonly string[], size: number): ImageScanner["findImages"] => {
    return async ({ kind, value, version, after, limit }) => {
      asked.push(`${kind} ${value} ${version ?? ""}`.trim());
      const rest = digests.toSorted().filter((digest) => digest > after);
      const some = rest.slice(0, Math.min(size, limit));
      const images = some.map((digest) => ({ digest, packages: [{ name: value, version: "1" }] }));
      return { images, next: rest.length > some.length ? some.at(-1) : undefined };
    };
  };
  const asked: string[] = [];

  async function openImages(findImages?: ImageScanner["findImages"]) {
    const digests: string[] = [];
    const finder = findImages ?? (async (question, options) => pagesOf(digests, 1)(question, options));
    const scanner = {
      ...basicScanner,
      state: async () => "1",
      index: async () => {},
      find: async () => ({ status: "queued" }) as const,
      findImages: finder,
    } satisfies ImageScanner;
    const registry = await openTestRegistry({ ports: { imageScanner: scanner } });
    const [ada, bob] = [await registry.user("ada"), await registry.user("bob")];
    for (const [index, owner] of [ada, ada, bob, bob].entries()) {
      const app = await putRepository(registry, {
        ...{ namespace: owner, name: `app-${index}` },
        visibility: index === 2 ? "public" : "private",
      });
      const manifest = await putManifest(registry, app, { content: { ...image, index } });
      await putTag(registry, app, { name: "latest", manifest });
      digests.push(manifest.digest);
    }
    asked.length = 0;
    return { registry, digests, call: await registry.session(ada) };
  }

  it("lists what the caller may read, with the tags and the packages, whatever others have", async () => {
    const { registry, digests, call } = await openImages();
    await using _ = registry;

    const { body } = await call("GET", "/security/images?package_name=zlib&version=1.2");

    const shown = digests.slice(0, 3).map((digest, index) => ({
      repository: `${index === 2 ? "bob" : "ada"}/app-${index}`,
      ...{ manifest_digest: digest, tags: ["latest"], packages: [{ name: "zlib", version: "1" }] },
    }));
    expect(body).toEqual({ images: shown.sort((a, b) => (a.manifest_digest < b.manifest_digest ? -1 : 1)) });
    expect(new Set(asked)).toEqual(new Set(["package zlib 1.2"]));
  });

  it("goes on with the next page", async () => {
    const { registry, digests, call } = await openImages();
    await using _ = registry;

    const first = await call("GET", "/security/images?license=MIT&limit=1");
    const found: string[] = [];
    for (
      let page = first;
      ;
      page = await call("GET", `/security/images?next_page=${encodeURIComponent(page.body.next_page)}`)
    ) {
      found.push(...page.body.images.map((each: { readonly manifest_digest: string }) => each.manifest_digest));
      if (page.body.next_page === undefined) break;
    }

    expect(first.body.images).toHaveLength(1);
    expect(found).toEqual(digests.slice(0, 3).sort());
  });

  it.each([
    ["nothing is asked for", "", 400],
    ["two facts are asked for", "?package_name=a&license=MIT", 400],
    ["an empty name is asked for", "?package_name=", 400],
  ])("refuses a request where %s", async (_, query, status) => {
    const { registry, call } = await openImages();
    await using _registry = registry;

    expect((await call("GET", `/security/images${query}`)).status).toBe(status);
  });

  it.each<[string, ImageScanner["findImages"]]>([
    ["cannot find images", async () => undefined],
    ["does not respond", () => Promise.reject(new Error("away"))],
  ])("says so where the scanner %s, and not that no image has it", async (_, findImages) => {
    const { registry, call } = await openImages(findImages);
    await using _registry = registry;

    const { status, body } = await call("GET", "/security/images?supplier=ada");

    expect(status).toBe(520);
    expect(body.detail).toMatch(/^The scanner /);
  });
});
