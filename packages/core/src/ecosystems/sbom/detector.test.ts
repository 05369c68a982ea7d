import { describe, expect, it } from "vitest";
import { bitnamiUpdater } from "../../feeds/osv/databases.ts";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { advisorySourceOf } from "../../match/advisory-source-of.ts";
import { matchReport } from "../../match/match-report.ts";
import { engineWith, fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const spdx = (...purls: readonly string[]) =>
  JSON.stringify({
    spdxVersion: "SPDX-2.3",
    packages: purls.map((purl) => ({ name: "x", externalRefs: [{ referenceType: "purl", referenceLocator: purl }] })),
  });
const wheelDocument = "usr/lib/python3/site-packages/a-1.dist-info/sboms/a.cdx.json";
const ofRedis = "opt/bitnami/redis/.spdx-redis.spdx";

describe("sbomDetector", () => {
  it("finds packages of Bitnami and of languages, and programs, and not those of the operating system", async () => {
    const content = spdx(
      "pkg:bitnami/redis@7.2.4-3",
      "pkg:golang/github.com/x/y@v1.0.0",
      "pkg:deb/debian/a@1",
      "pkg:generic/z@1",
    );

    const report = await indexLayers([[fileOf(ofRedis, content)]]);

    expect(listPackages(report)).toEqual([
      `github.com/x/y v1.0.0 (go) ${ofRedis}`,
      `redis 7.2.4-3 (bitnami) ${ofRedis}`,
      `z 1 (generic) ${ofRedis}`,
    ]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it("finds a component of Bitnami once that is in the list of the image too", async () => {
    const list = fileOf("opt/bitnami/.bitnami_components.json", '{"redis":{"arch":"amd64","version":"7.2.4-3"}}');

    const report = await indexLayers([[list, fileOf(ofRedis, spdx("pkg:bitnami/redis@7.2.4-3"))]]);

    expect(Object.values(report.packages)).toMatchObject([{ name: "redis", version: "7.2.4-3" }]);
  });

  it("finds no package that a document lists as not for the run time", async () => {
    const component = (name: string, scope: string) => ({ type: "library", name, scope, purl: `pkg:npm/${name}@1` });
    const components = [component("a", "excluded"), component("b", "optional")];

    const report = await indexLayers([
      [fileOf("app/bom.json", JSON.stringify({ bomFormat: "CycloneDX", components }))],
    ]);

    expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["b"]);
  });

  const subject = { type: "application", "bom-ref": "app", name: "app" };
  const cycloneDx = (more: object) =>
    JSON.stringify({ bomFormat: "CycloneDX", metadata: { component: subject }, ...more });
  const related = { type: "Relationship", from: "app", to: ["a"], relationshipType: "contains" };
  const creationInfo = { creators: ["Tool: plimsoll-1.0.0"] };
  it.each([
    [
      "app/app.cdx.json",
      cycloneDx({ compositions: [{ aggregate: "incomplete", assemblies: ["app"] }] }),
      "the document says that it is incomplete.",
    ],
    [
      "app/app.spdx.json",
      JSON.stringify({
        ...{ spdxVersion: "SPDX-2.3", creationInfo },
        annotations: [
          { comment: "plimsoll:coverage:unassessed:npm: 2" },
          { comment: "plimsoll:coverage:problem:malformed_archive: lib/a.jar: expected a zip archive" },
        ],
      }),
      "the document says that it is incomplete: not assessed: 2 npm (pieces of evidence); lib/a.jar: expected a zip archive",
    ],
    [
      "app/app.spdx3.json",
      JSON.stringify({
        "@graph": [
          { type: "SpdxDocument", spdxId: "document", rootElement: ["app"] },
          { ...related, completeness: "incomplete" },
        ],
      }),
      "the document says that it is incomplete.",
    ],
  ])("makes the report of the image partial where %s calls itself incomplete", async (path, content, message) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listProblems(report)).toEqual([`incomplete_sbom ${path}: ${message}`]);
    expect(report.coverage.status).toBe("partial");
  });

  /** https://cyclonedx.org/docs/1.6/json/#compositions: dependencies are no parts. filelock 4.3.1 has such a document. */
  it.each([
    ["what a wheel depends on", wheelDocument, "dependencies", []],
    [
      "what is in a wheel",
      wheelDocument,
      "assemblies",
      [`incomplete_sbom ${wheelDocument}: the document says that it is incomplete.`],
    ],
    [
      "what an application depends on",
      "app/bom.json",
      "dependencies",
      ["incomplete_sbom app/bom.json: the document says that it is incomplete."],
    ],
  ])(
    "has a problem of parts that are not listed, and none of what is installed beside: %s",
    async (_, path, about, problems) => {
      const document = cycloneDx({ compositions: [{ aggregate: "incomplete", [about]: ["app"] }] });

      expect(listProblems(await indexLayers([[fileOf(path, document)]]))).toEqual(problems);
    },
  );

  it("names a package as its own metadata do, and not as a document does", async () => {
    const folder = "usr/lib/python3/site-packages/scikit_learn-1.9.1.dist-info";
    const component = { type: "library", name: "scikit_learn", purl: "pkg:pypi/scikit_learn@1.9.1" };
    const document = JSON.stringify({ bomFormat: "CycloneDX", components: [component] });

    const report = await indexLayers([
      [
        fileOf(`${folder}/METADATA`, "Name: scikit-learn\nVersion: 1.9.1\n"),
        fileOf(`${folder}/sboms/auditwheel.cdx.json`, document),
      ],
    ]);

    expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["scikit-learn"]);
  });

  it.each([
    ["pkg:rpm/almalinux/libgfortran@8.5.0-22.el8_10", ["ecosystem"]],
    ["pkg:deb/debian/libgfortran5@12.2.0-14?distro=debian-12", ["ecosystem"]],
    ["pkg:rpm/libgfortran@8.5.0-22.el8_10", ["ecosystem"]],
  ])("lists what a wheel bundles of a distribution, undecided: %s", async (purl, facts) => {
    const [, name = ""] = /([^/]+)@/.exec(purl) ?? [];
    const document = JSON.stringify({ bomFormat: "CycloneDX", components: [{ type: "library", name, purl }] });
    const folder = "opt/v/lib/python3.12/site-packages/numpy-2.0.dist-info";

    const index = await indexLayers([
      [
        fileOf(`${folder}/METADATA`, "Name: numpy\nVersion: 2.0\n"),
        fileOf(`${folder}/sboms/auditwheel.cdx.json`, document),
        fileOf("app/app.cdx.json", document),
      ],
    ]);
    const { coverage } = await matchReport(engineWith(), index, { advisories: advisorySourceOf([]) });

    expect(Object.values(index.packages).map((found) => found.name)).toEqual(expect.arrayContaining([name]));
    expect(index.distributions).toEqual({}); // it is none of the image's
    expect(coverage.undecided?.map(({ fact }) => fact)).toEqual(facts);
    expect(coverage.undecided?.[0]?.packageIds.map((id) => index.packages[id]?.name)).toEqual([name]);
  });

  it.each([
    ["app/app.cdx.json", true],
    ["app/bom.json", true],
    ["app/sbom.json", true],
    ["app/APP.CDX.JSON", true],
    ["app/app.cyclonedx.json", true],
    ["app/my.sbom.json", true],
    ["usr/lib/python3/site-packages/a-1.dist-info/sboms/a.cdx.json", true],
    ["app/node_modules/a/bom.json", false],
    ["app/notes.json", false],
    ["app/app.cdx.xml", true],
    ["app/bom.xml", true],
    ["app/pom.xml", false],
    ["app/app.spdx", true],
    ["app/node_modules/a/LICENSE.spdx", false],
  ])("reads %s: %s", async (path, isRead) => {
    const json = JSON.stringify({
      bomFormat: "CycloneDX",
      components: [{ type: "library", name: "a", purl: "pkg:npm/a@1" }],
    });
    const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components><component type="library"><name>a</name>
      <purl>pkg:npm/a@1</purl></component></components></bom>`;
    const tags = "SPDXVersion: SPDX-2.3\nPackageName: a\nExternalRef: PACKAGE-MANAGER purl pkg:npm/a@1\n";
    const content = /\.json$/i.test(path) ? json : path.endsWith(".xml") ? xml : tags;

    expect(listPackages(await indexLayers([[fileOf(path, content)]]))).toEqual(isRead ? [`a 1 (npm) ${path}`] : []);
  });

  it.each([
    ["a document of another kind", "app/bom.json", "{}", []],
    ["another kind of XML", "app/bom.xml", "<project/>", []],
    ["a text about a licence", "usr/share/MIT.spdx", "MIT License", []],
    ["a truncated one in XML", "app/app.cdx.xml", "<bom", ["expected CycloneDX in XML"]],
    ["a truncated one of Bitnami", ofRedis, '{"spdxVersion"', ["expected JSON"]],
    ["a document with a malformed entry", ofRedis, spdx("npm/x"), ["packages[0]: package URL"]],
  ])("reports the problems of %s", async (_, path, content, messages) => {
    const problems = listProblems(await indexLayers([[fileOf(path, content)]]));

    expect(problems).toEqual(messages.map((message) => expect.stringContaining(message)));
  });

  it("drops the packages of a document that a later layer removes", async () => {
    const layers = [[fileOf(ofRedis, spdx("pkg:bitnami/redis@7.2.4-3"))], [fileOf("opt/bitnami/.wh.redis", "")]];

    expect(listPackages(await indexLayers(layers))).toEqual([]);
  });

  it.each([
    ["1.0.7-4", { fixed: "1.0.8" }, ["BIT-brotli-2020-8927"]],
    ["1.0.8-0", { fixed: "1.0.8" }, []],
    ["1.0.8-3", { fixed: "1.0.8" }, []],
    ["1.0.8-3", { last_affected: "1.0.8" }, ["BIT-brotli-2020-8927"]],
    ["1.0.8-3", { last_affected: "1.0.8-2" }, []],
    ["1.0.9-0", { last_affected: "1.0.8" }, []],
  ])("matches Bitnami's versions with Bitnami's advisories: %s, %j", async (version, end, expected) => {
    const record = {
      id: "BIT-brotli-2020-8927",
      modified: "2024-01-01T00:00:00Z",
      affected: [
        {
          package: { ecosystem: "Bitnami", name: "brotli" },
          ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, end] }],
        },
      ],
    };
    const documents = { "data/brotli/BIT-brotli-2020-8927.json": JSON.stringify(record) };
    const items = await itemsOf(bitnamiUpdater, feedReaderOf(documents, { layout: "folder" }));
    const advisories = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));

    const index = await indexLayers([[fileOf("opt/bitnami/b/.spdx-b.spdx", spdx(`pkg:bitnami/brotli@${version}`))]]);
    const { vulnerabilities } = await matchReport(engineWith(), index, { advisories: advisorySourceOf(advisories) });

    expect(advisories.length).toBe(1);
    expect(Object.values(vulnerabilities).map(({ name }) => name)).toEqual(expected);
  });
});
