import type { IndexReport, Package } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import {
  dependencyGraph,
  distributionPackageKey,
  mainModuleKey,
  type SbomPackage,
  summarizeLicenses,
  thirdPartyKey,
  unstatedKey,
} from "@plimsoll/core/internal";
import { indexRecords } from "@plimsoll/core/match";
import type { Purl } from "@plimsoll/core/purl";
import type { PackageDetails } from "@plimsoll/core/report";
import { readSbom, sbomReport } from "@plimsoll/core/sbom";
import { describe, expect, it } from "vitest";
import { listComponents } from "./components.ts";
import { toCycloneDx } from "./cyclonedx.ts";
import { toCycloneDxXml } from "./cyclonedx-xml.ts";
import { sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toSpdx } from "./spdx.ts";
import { toSpdx3 } from "./spdx3.ts";

const formats = [
  ["CycloneDX", toCycloneDx, /"cpe":/g],
  ["SPDX", toSpdx, /"cpe23Type"/g],
  ["SPDX", toSpdx3, /"cpe23"/g],
  ["CycloneDX", toCycloneDxXml, /<cpe>/g],
] as const;

interface Named {
  readonly package: Omit<Package, "id" | "source">;
  readonly purl?: Purl | string;
}

const digest = parseDigest(`sha256:${"0".repeat(64)}`);

function bytesOf(document: object | string): Uint8Array {
  return new TextEncoder().encode(typeof document === "string" ? document : JSON.stringify(document));
}

/** The index report of the document that is written about an image with a report. */
function readBack(
  write: (typeof formats)[number][1],
  index: IndexReport,
  matched: IndexReport["coverage"] = index.coverage,
): IndexReport {
  const { vulnerabilities, ...image } = sampleImage();
  const report = { ...image, index, vulnerabilities: { ...vulnerabilities, coverage: matched } };
  const bytes = bytesOf(write(report, stamp));
  return sbomReport(readSbom(bytes, "sbom"), { name: "sbom", digest });
}

describe("the document of a folder", () => {
  it.each(formats)("says that it is no image of a container: %s, %o", (_, write) => {
    const kindOf = (image: ReturnType<typeof sampleImage> & { readonly isFolder?: true }) =>
      readSbom(bytesOf(write(image, stamp)), "sbom").subject?.isFolder;

    expect([kindOf(sampleImage()), kindOf({ ...sampleImage(), isFolder: true })]).toEqual([undefined, true]);
    expect(JSON.stringify(write({ ...sampleImage(), isFolder: true }, stamp))).not.toContain("pkg:oci/");
  });
});

/** The sample's report, in which packages have further entries of repositories. */
function marked(
  marks: Readonly<Record<string, readonly { readonly name: string; readonly key: string }[]>>,
): IndexReport {
  const { index } = sampleImage();
  const ids = (id: string) => (marks[id] ?? []).map((_, at) => `${id}-${at}`);
  const entries = Object.entries(marks).flatMap(([id, list]) =>
    list.map((mark, at) => [`${id}-${at}`, { id: `${id}-${at}`, ...mark }] as const),
  );
  const environments = Object.entries(index.environments).map(([id, [place]]) => {
    if (place === undefined || marks[id] === undefined) return [id, place === undefined ? [] : [place]] as const;
    return [
      id,
      ids(id).map((mark, at) => ({
        ...place,
        packageDb: `${place.packageDb}${at}`,
        distributionId: "1",
        repositoryIds: [...place.repositoryIds, mark],
      })),
    ] as const;
  });
  return {
    ...index,
    repositories: { ...index.repositories, ...Object.fromEntries(entries) },
    environments: Object.fromEntries(environments),
  };
}

/** What each place of packages is, for matching; packages are in another order in documents. */
const judged = (report: IndexReport) =>
  indexRecords(report)
    .map((record) => [
      record.package.name,
      record.packageDb,
      record.distribution?.versionId,
      ...record.repositories.map(({ name, key }) => `${key}=${name}`),
      ...(record.owners ?? []).map((owner) => owner.package.name),
    ])
    .sort((a, b) => (String(a) < String(b) ? -1 : 1));

const named = ({ package: { name, version }, purl }: Named) => [name, version, purl];

const ofPackage = "SEE LICENSE IN LICENSE.md";
const licenseLists: readonly (readonly [name: string, licenses: NonNullable<PackageDetails["licenses"]>])[] = [
  ["a text in a file of one package", [{ text: ofPackage, expression: `LicenseRef-${"0123456789abcd"}` }]],
  [
    "a text in a file beside another licence",
    [{ text: ofPackage, expression: "LicenseRef-In-file-0123456789abcd" }, { text: "MIT" }],
  ],
  ["a name that is no licence of the list there", [{ text: "MIT", expression: "LicenseRef-MIT" }]],
  ["such a name in an expression", [{ text: "GPLv2 and MIT", expression: "GPL-2.0-only AND LicenseRef-MIT" }]],
  [
    "many licences, of which some are left out",
    [
      ...Array.from({ length: 256 }, (_, at) => ({ text: `Terms of the part, version ${at}` })),
      { text: "44 more licences" },
    ],
  ],
  ["a reference that the package itself has", [{ text: "MIT AND LicenseRef-Own" }]],
  ["a text with control characters", [{ text: "\u001b[31mred terms" }]],
  ["a long expression", [{ text: `${"MIT OR ".repeat(500)}ISC` }, { text: `${"MIT AND ".repeat(500)}ISC` }]],
  ["a text that was cut", [{ text: `${"Permission is hereby granted. ".repeat(140).slice(0, 4096)} …` }]],
];

describe("readSbom of what is written here", () => {
  it.each(formats)("%s: gives the packages of the image back", (format, write) => {
    const image = sampleImage();
    const bytes = bytesOf(write(image, stamp));

    const sbom = readSbom(bytes, format);

    expect(sbom.packages.map(named)).toEqual(listComponents(image.index).map(named));
    expect(sbom.packages.length).toBe(3);
    expect([sbom.format, sbom.problems]).toEqual([format, []]);
  });

  it.each(formats)("%s: gives back licences and makers, and what packages need", (_, write) => {
    const { index } = sampleImage();
    const [one = "", ...others] = Object.keys(index.packages);
    const [two = ""] = others;
    const ofTwo = {
      licenses: [{ text: "isc" }],
      description: "Two",
      homepage: "https://two.example",
      copyright: "2020 T",
    };
    const details = {
      ...Object.fromEntries(others.map((id) => [id, ofTwo])), // they are one package in other documents
      [one]: { licenses: [{ text: "MIT OR Apache-2.0" }, { text: "public-domain" }], supplier: "A <a@a.example>" },
    };
    const dependencies = {
      ...Object.fromEntries(others.map((id) => [id, { packageIds: [] }])),
      [one]: { packageIds: [two], isPartial: true as const },
    };

    const read = readBack(write, { ...index, details, dependencies });

    const namesOf = ({ packages }: IndexReport, ids: readonly string[] = []) => ids.map((id) => packages[id]?.name);
    const billOf = (report: IndexReport) =>
      Object.values(report.packages)
        .map(({ id, name }) => ({
          name,
          license: summarizeLicenses(report.details?.[id] ?? {})?.expression,
          copyright: report.details?.[id]?.copyright,
          description: report.details?.[id]?.description,
          homepage: report.details?.[id]?.homepage,
          needs: namesOf(report, report.dependencies?.[id]?.packageIds).sort(),
        }))
        .filter(({ name }, at, all) => all.findIndex((each) => each.name === name) === at)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(billOf(read)).toEqual(billOf({ ...index, details, dependencies }));
    expect(Object.values(read.details ?? {}).some(({ supplier }) => supplier?.startsWith("A") === true)).toBe(true);
    const isSpdx2 = write === toSpdx; // it has no place for what is all
    expect(dependencyGraph(read)?.unknown.length).toBe(isSpdx2 ? 2 : 1);
  });

  it.each(
    formats.flatMap(([format, write]) =>
      licenseLists.map(([name, licenses]) => [format, name, licenses, write] as const),
    ),
  )("%s: gives back %s", (_, _name, licenses, write) => {
    const { index } = sampleImage();
    const details = Object.fromEntries(Object.keys(index.packages).map((id) => [id, { licenses }]));

    const read = readBack(write, { ...index, details });

    const stated = Object.values(read.details ?? {}).map((each) => summarizeLicenses(each)?.expression);
    expect(new Set(stated)).toEqual(new Set([summarizeLicenses({ licenses })?.expression]));
    expect(stated.length).toBe(Object.keys(read.packages).length);
  });

  it.each(formats.filter(([, write]) => write !== toSpdx))("%s: gives back that not all is there", (_, write) => {
    const { index } = sampleImage();
    const dependencies = Object.fromEntries(
      Object.keys(index.packages).map((id) => [id, { packageIds: [], unmet: ["libz"] }]),
    );

    const graph = dependencyGraph(readBack(write, { ...index, dependencies }));

    expect([graph?.incomplete.length, graph?.unknown.length]).toEqual([Object.keys(index.packages).length - 1, 0]);
  });

  it.each(formats)("%s: is the same document of packages with the files of these", (_, write) => {
    const { index } = sampleImage();
    const files = { "1": [{ path: "usr/bin/a", digest: `md5:${"a".repeat(32)}`, layer: digest }] };

    const read = readBack(write, { ...index, files });

    expect(judged(read)).toEqual(judged(readBack(write, index)));
    expect(read.coverage).toEqual(readBack(write, index).coverage);
  });

  it.each(formats)("%s: gives back what could not be read in the image", (_, write) => {
    const { coverage } = readBack(write, sampleImage().index);

    expect([coverage.status, coverage.problems, coverage.unassessed]).toEqual([
      "partial",
      sampleImage().index.coverage.problems,
      [{ kind: "java", count: 2, evidence: [] }],
    ]);
  });

  it.each(formats)("%s: gives back that a layer could not be read", (_, write) => {
    const { index } = sampleImage();
    const layers = [{ digest, status: "foreign", message: "stored elsewhere" }] as const;

    const { coverage } = readBack(write, {
      ...index,
      coverage: { ...index.coverage, layers, problems: [], unassessed: [] },
    });

    expect([coverage.status, coverage.problems]).toEqual([
      "partial",
      [{ at: digest, code: "foreign_layer", message: "stored elsewhere" }],
    ]);
  });

  it.each(formats)("%s: is not complete if a package cannot be judged", (_, write) => {
    const { index } = sampleImage();
    const read = { ...index.coverage, status: "complete", problems: [], unassessed: [] } as const;
    const matched = { ...read, status: "partial", undecided: [{ fact: "version", packageIds: ["1"] }] } as const;

    expect(readBack(write, { ...index, coverage: read }, matched).coverage.status).toBe("partial");
  });

  it.each(formats)("%s: is complete if all of the image was read", (_, write) => {
    const { index } = sampleImage();
    const coverage = { ...index.coverage, status: "complete", problems: [], unassessed: [] } as const;

    expect(readBack(write, { ...index, coverage }).coverage.status).toBe("complete");
  });

  it.each(formats)("%s: gives back every owner of a package whose places have different ones", (_, write) => {
    const owners = ["libssl3", "rake"].map((name) => ({ name, key: distributionPackageKey }));
    const index = marked({ "2": owners });
    const rake = { id: "5", name: "rake", version: "13", kind: "BINARY" } as const;
    const report = {
      ...index,
      packages: { ...index.packages, "5": rake },
      environments: { ...index.environments, "5": index.environments["1"] ?? [] },
    };

    const read = readBack(write, report);

    expect(judged(read)).toEqual(judged(report));
    expect(judged(report).flat()).toContain(`${distributionPackageKey}=rake`);
  });

  it.each(formats)("%s: gives back which facts a document of another tool does not state", (_, write) => {
    const purls = [
      "pkg:deb/debian/libcurl4@7.88.1-10?distro=debian-12",
      "pkg:rpm/almalinux/openssl-libs@3.2.2-6?distro=almalinux-9",
      "pkg:npm/lodash@4.17.20",
      "pkg:golang/example.com/app@v0.0.0-20240102030405-abcdef123456",
    ];
    const components = purls.map((purl) => ({ type: "library", name: "any", purl }));
    const document = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components });
    const index = sbomReport(readSbom(new TextEncoder().encode(document), "bom"), { name: "bom", digest });
    const unstated = (report: IndexReport) =>
      Object.fromEntries(
        indexRecords(report).map(({ package: { name }, repositories }) => {
          const facts = repositories.filter(({ key }) => key === unstatedKey).map((fact) => fact.name);
          return [name, facts.toSorted()];
        }),
      );

    expect(unstated(readBack(write, index))).toEqual(unstated(index));
    expect(unstated(index)).toEqual({
      libcurl4: ["maker", "source"],
      "openssl-libs": ["epoch", "maker", "source"],
      lodash: ["owner"],
      "example.com/app": ["owner", "version"],
    });
  });

  it.each(formats)("%s: gives back the owner of a package in one of its places, and none in the other", (_, write) => {
    const report = marked({ "2": [{ name: "libssl3", key: distributionPackageKey }] });
    const [owned] = report.environments["2"] ?? [];
    if (owned === undefined) throw new Error("expected a place");
    const free = { ...owned, packageDb: "opt/pad/package.json", distributionId: undefined, repositoryIds: ["1"] };
    const both = { ...report, environments: { ...report.environments, "2": [owned, free] } };

    const read = readBack(write, both);

    expect(judged(read)).toEqual(judged(both));
  });

  it.each(formats)("%s: gives back each system of an image that has the same package in several", (_, write) => {
    const report = marked({ "2": [{ name: "libssl3", key: distributionPackageKey }] });
    const [place] = report.environments["1"] ?? [];
    const [owned] = report.environments["2"] ?? [];
    if (place === undefined || owned === undefined) throw new Error("expected places");
    const copies = ["2", "3", undefined].map((distributionId, at) => ({
      ...place,
      packageDb: `backup/${at}/var/lib/dpkg/status`,
      distributionId,
    }));
    const several = {
      ...report,
      distributions: {
        "2": { id: "2", did: "debian", versionId: "11" },
        ...report.distributions,
        "3": { id: "3", did: "debian" }, // unstable
      },
      environments: { ...report.environments, "1": [...copies, place], "2": [{ ...owned, distributionId: "2" }] },
    };

    const read = readBack(write, several);

    expect(judged(read)).toEqual(judged(several));
    expect(judged(read).map(([name, , release]) => `${name} ${release}`)).toEqual([
      "left-pad 11",
      ...["left-pad undefined", "libssl3 11", "libssl3 undefined", "libssl3 undefined", "libssl3 12"],
    ]);
  });

  it.each(formats)("%s: gives back that the distribution did not make a package", (_, write) => {
    const report = marked({ "1": [{ name: "docker", key: thirdPartyKey }] });

    const read = readBack(write, report);

    expect(judged(read)).toEqual(judged(report));
    expect(read.coverage.thirdPartyPackages).toBe(1);
  });

  it.each(formats)("%s: gives back the distribution of an image that has no package of it", (_, write) => {
    const { index } = sampleImage();
    const [release] = Object.values(index.distributions);
    const none = { packages: {}, environments: {}, repositories: {}, details: undefined };

    const read = readBack(write, { ...index, ...none });

    const { did, versionId, prettyName } = release ?? { did: "none" };
    expect(Object.values(read.distributions)).toMatchObject([{ did, versionId, prettyName }]);
    expect(Object.values(readBack(write, read).distributions)).toEqual(Object.values(read.distributions));
    expect(Object.keys(readBack(write, index).distributions)).toEqual(Object.keys(index.distributions));
  });

  it.each(formats)("%s: gives no release to a package that is not of the image's distribution", (_, write) => {
    const { index } = sampleImage();
    const [place] = index.environments["1"] ?? [];
    if (place === undefined) throw new Error("expected a place");
    const { distributionId: _own, ...other } = place;
    const busybox = { id: "5", name: "busybox", version: "1.37.0-r12", kind: "BINARY" } as const;
    const report = {
      ...index,
      packages: { ...index.packages, "5": busybox },
      environments: { ...index.environments, "5": [{ ...other, packageDb: "lib/apk/db/installed" }] },
    };

    const read = readBack(write, report);

    expect(judged(read)).toEqual(judged(report));
  });

  it.each(formats)("%s: gives back that a package is for development only", (_, write) => {
    const report = marked({ "2": [{ name: "development", key: "scope" }] });

    expect(judged(readBack(write, report)).flat()).toContain("scope=development");
  });

  it.each(formats)("%s: gives back that a package is a main module that is no release", (_, write) => {
    const report = marked({ "2": [{ name: "20240102030405-abcdef123456", key: mainModuleKey }] });

    expect(judged(readBack(write, report)).flat()).toContain(`${mainModuleKey}=20240102030405-abcdef123456`);
  });

  it.each(formats)("%s: gives back which package of the distribution owns another", (format, write) => {
    const image = sampleImage();
    const { index } = image;
    const owner = { id: "owner", name: "libssl3", key: distributionPackageKey };
    const owned = Object.entries(index.environments).map(([id, places]) => {
      const withOwner = places.map((place) => ({
        ...place,
        distributionId: "1",
        repositoryIds: [...place.repositoryIds, "owner"],
      }));
      return [id, places.every(({ repositoryIds }) => repositoryIds.length > 0) ? withOwner : places];
    });
    const report = {
      ...index,
      repositories: { ...index.repositories, owner },
      environments: Object.fromEntries(owned),
    };

    const bytes = bytesOf(write({ ...image, index: report }, stamp));

    const ownerIn = ({ package: { name }, repositories }: SbomPackage) => [
      name,
      repositories.find(({ key }) => key === distributionPackageKey)?.name,
    ];
    expect(readSbom(bytes, format).packages.map(ownerIn)).toEqual(
      listComponents(report).map((component) => [component.package.name, component.owners[0]]),
    );
    expect(listComponents(report).flatMap((component) => component.owners)).toContain("libssl3");
  });

  it.each(formats)(
    "%s: has a CPE name of every package, and takes none for evidence that was a guess",
    (format, write, cpe) => {
      const image = sampleImage();
      const bytes = bytesOf(write(image, stamp));
      const text = new TextDecoder().decode(bytes);

      const { packages } = readSbom(bytes, format);

      const proven = listComponents(image.index).map((component) => component.cpe);
      expect(text.match(cpe)).toHaveLength(packages.length + 1); // the distribution has one, too
      expect(packages.map((each) => each.package.cpe)).toEqual(proven);
    },
  );
});
