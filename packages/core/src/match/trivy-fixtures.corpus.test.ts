import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { alpineMatcher } from "../ecosystems/apk/matcher.ts";
import { debianMatcher, ubuntuMatcher } from "../ecosystems/dpkg/matcher.ts";
import { rpmMatcher } from "../ecosystems/rpm/matcher.ts";
import type { Advisory } from "../model/advisory.ts";
import type { Package } from "../model/package.ts";
import { readYaml, type Yaml } from "./fixtures/read-yaml.ts";
import { sampleAdvisory, samplePackage, sampleRecord } from "./fixtures/samples.ts";
import { matchRecords } from "./match-records.ts";

const corpus = findCorpus();
const matchers = [alpineMatcher, debianMatcher, ubuntuMatcher, rpmMatcher];

interface ImageCase {
  /** Name of the result. */
  readonly image: string;
  /** `did version_id`, and the name of its advisories there. */
  readonly release: string;
  readonly feed: string;
  readonly bucket: string;
  readonly ecosystem: string;
  /** Whether advisories name sources. */
  readonly kind: Package["kind"];
  /** The list of all its packages; without one, the packages of the result are all there is. */
  readonly list?: string;
}

const cases: readonly ImageCase[] = [
  {
    image: "alpine-39",
    release: "alpine 3.9.4",
    feed: "alpine",
    bucket: "alpine 3.9",
    ecosystem: "alpine:3.9",
    kind: "SOURCE",
  },
  {
    image: "alpine-310",
    release: "alpine 3.10.2",
    feed: "alpine",
    bucket: "alpine 3.10",
    ecosystem: "alpine:3.10",
    kind: "SOURCE",
    list: "alpine-310",
  },
  {
    image: "debian-stretch",
    release: "debian 9.9",
    feed: "debian",
    bucket: "debian 9",
    ecosystem: "debian:9",
    kind: "SOURCE",
  },
  {
    image: "debian-buster",
    release: "debian 10.1",
    feed: "debian",
    bucket: "debian 10",
    ecosystem: "debian:10",
    kind: "SOURCE",
    list: "debian-buster",
  },
  {
    image: "ubuntu-1804",
    release: "ubuntu 18.04",
    feed: "ubuntu",
    bucket: "ubuntu 18.04",
    ecosystem: "ubuntu:18.04",
    kind: "SOURCE",
  },
  {
    image: "almalinux-8",
    release: "almalinux 8.5",
    feed: "almalinux",
    bucket: "alma 8",
    ecosystem: "almalinux:8",
    kind: "BINARY",
  },
  {
    image: "amazon-2",
    release: "amzn 2",
    feed: "amazon",
    bucket: "amazon linux 2",
    ecosystem: "amzn:2",
    kind: "BINARY",
    list: "amazon-2",
  },
  {
    image: "photon-30",
    release: "photon 3.0",
    feed: "photon",
    bucket: "Photon OS 3.0",
    ecosystem: "photon:3.0",
    kind: "SOURCE",
  },
  {
    image: "centos-7",
    release: "centos 7.6.1810",
    feed: "redhat",
    bucket: "Red Hat",
    ecosystem: "rhel:7",
    kind: "BINARY",
  },
  {
    image: "ubi-7",
    release: "rhel 7.7",
    feed: "redhat",
    bucket: "Red Hat",
    ecosystem: "rhel:7",
    kind: "BINARY",
    list: "ubi-7",
  },
];

describe.skipIf(corpus === undefined)("matchRecords, with Trivy's fixtures", () => {
  it.each(cases)("finds in $image what its results say", (image) => {
    const expected = readResults(image.image);
    const packages = image.list === undefined ? packagesOfResults(expected) : packagesOfList(image.list);
    const records = packages.map((found) => sampleRecord(image.release, found));

    const { affected, undecided } = matchRecords(matchers, { records, advisories: readAdvisories(image) });

    const found = affected.map(({ advisory, record, verdict }) =>
      [advisory.name, record.package.name, record.package.version, verdict.fixedInVersion ?? "no fix"].join(" "),
    );
    const stated = expected.map((v) =>
      [v.VulnerabilityID, v.PkgName, v.InstalledVersion, v.FixedVersion ?? "no fix"].join(" "),
    );
    expect(undecided).toEqual([]);
    expect(found.sort()).toEqual(stated.sort());
  });
});

interface Result {
  readonly VulnerabilityID: string;
  readonly PkgName: string;
  readonly InstalledVersion: string;
  readonly FixedVersion?: string;
}

function readResults(image: string): readonly Result[] {
  const text = readFileSync(`${corpus}/data/expected/trivy-db-fixtures/results/${image}.json`, "utf8");
  const report = JSON.parse(text) as { readonly Results: readonly { readonly Vulnerabilities?: readonly Result[] }[] };
  return report.Results.flatMap(({ Vulnerabilities = [] }) => Vulnerabilities);
}

/** The sources of packages that results name without them. */
const sources: Readonly<Record<string, string>> = {
  "libcrypto1.1": "openssl",
  "libssl1.1": "openssl",
  "musl-utils": "musl",
  e2fslibs: "e2fsprogs",
  libcomerr2: "e2fsprogs",
  libss2: "e2fsprogs",
  "libcom-err2": "e2fsprogs",
  libext2fs2: "e2fsprogs",
  "curl-libs": "curl",
};

function packagesOfResults(results: readonly Result[]): readonly Package[] {
  const byName = new Map(results.map(({ PkgName, InstalledVersion }) => [PkgName, InstalledVersion]));
  return Array.from(byName, ([name, version], i) =>
    samplePackage(`${name} ${version}`, {
      id: String(i + 1),
      arch: "x86_64",
      from: `${sources[name] ?? name} ${version}`,
    }),
  );
}

interface ListedPackage {
  readonly Name: string;
  readonly Version: string;
  readonly Release?: string;
  readonly Epoch?: number;
  readonly Arch: string;
  readonly SrcName: string;
  readonly SrcVersion: string;
  readonly SrcRelease?: string;
}

function packagesOfList(list: string): readonly Package[] {
  const text = readFileSync(`${corpus}/data/expected/trivy-package-lists/${list}.json.golden`, "utf8");
  return (JSON.parse(text) as readonly ListedPackage[]).map((listed, i) => {
    const epoch = listed.Epoch ? `${listed.Epoch}:` : "";
    const version = [`${epoch}${listed.Version}`, listed.Release].filter(Boolean).join("-");
    const source = [listed.SrcVersion, listed.SrcRelease].filter(Boolean).join("-");
    const more = { id: String(i + 1), arch: listed.Arch, from: `${listed.SrcName} ${source}` };
    return samplePackage(`${listed.Name} ${version}`, more);
  });
}

function readAdvisories({ feed, bucket, ecosystem, kind }: ImageCase): readonly Advisory[] {
  const document = readYaml(readFileSync(`${corpus}/data/expected/trivy-db-fixtures/${feed}.yaml`, "utf8"));
  const named = asList(document).filter((each) => member(each, "bucket") === bucket);
  return named
    .flatMap((each) => asList(member(each, "pairs")))
    .flatMap((each) => asList(member(each, "pairs")).map((pair) => ({ name: String(member(each, "bucket")), pair })))
    .flatMap(({ name, pair }) => advisoriesOf({ ecosystem, packageName: name, packageKind: kind }, pair));
}

/** CPE names of Red Hat by the numbers that stand for them in the fixtures. */
function readCpes(): ReadonlyMap<string, string> {
  const document = readYaml(readFileSync(`${corpus}/data/expected/trivy-db-fixtures/cpe.yaml`, "utf8"));
  const buckets = asList(document).flatMap((each) => asList(member(each, "pairs")));
  const named = buckets
    .filter((each) => member(each, "bucket") === "cpe")
    .flatMap((each) => asList(member(each, "pairs")));
  return new Map(named.map((pair) => [String(member(pair, "key")), String(member(pair, "value"))]));
}

/** Advisories of Red Hat have entries per product, most of which the fixtures do not name. Others have one fix. */
function advisoriesOf(rule: Pick<Advisory, "ecosystem" | "packageName" | "packageKind">, pair: Yaml): Advisory[] {
  const key = String(member(pair, "key"));
  const value = member(pair, "value");
  const statements = member(value, "Entries") === undefined ? [value] : asList(member(value, "Entries"));
  const cpesByNumber = readCpes();
  return statements.flatMap((statement) => {
    const affected = member(statement, "Affected");
    const cpes = asList(affected).flatMap((number) => cpesByNumber.get(String(number)) ?? []);
    const fixed = member(statement, "FixedVersion");
    const names = asList(member(statement, "Cves")).flatMap((cve) => member(cve, "ID") ?? []);
    return (names.length === 0 ? [key] : names).map((name) =>
      sampleAdvisory(rule.ecosystem, rule.packageName, {
        ...rule,
        id: `trivy/${key}/${name}/${rule.packageName}`,
        name: String(name),
        ranges: [typeof fixed === "string" ? { fixed } : {}],
        cpes: affected === undefined ? undefined : cpes,
      }),
    );
  });
}

function asList(yaml: Yaml | undefined): readonly Yaml[] {
  return Array.isArray(yaml) ? yaml : [];
}

function member(yaml: Yaml | undefined, key: string): Yaml | undefined {
  return typeof yaml === "object" && !Array.isArray(yaml) ? (yaml as Readonly<Record<string, Yaml>>)[key] : undefined;
}
