import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { distributionDetector } from "./detector.ts";
import { bytesOf, detectIn } from "./fixtures/layer-files.ts";
import { parseOsRelease } from "./release-files.ts";

const corpus = findCorpus();
const data = `${corpus}/data`;
const folder = `${data}/packagedbs/osrelease/corpus`;

describe.skipIf(corpus === undefined)("distributionDetector", () => {
  const texts = corpus === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".txtar"));

  it.each(texts)("reads %s", (name) => {
    const parts = readTxtar(readFileSync(`${folder}/${name}`, "utf8"));
    const text = parts.get("os-release") ?? "";

    const { values, problems } = parseOsRelease(bytesOf(text));

    expect(problems.count).toBe(0);
    expect(Object.fromEntries(values)).toEqual(JSON.parse(parts.get("Parsed") ?? ""));
    const [release] = releasesIn({ "etc/os-release": bytesOf(text) });
    expect(onWire(release ?? {})).toEqual(JSON.parse(parts.get("Distribution") ?? ""));
  });

  it.each<[string, string[], Partial<Release>]>([
    ["alpine_3_7_0", ["etc/os-release"], { did: "alpine", versionId: "3.7.0", prettyName: "Alpine Linux v3.7" }],
    ["centos_5", ["etc/redhat-release"], { did: "centos", versionId: "5.11" }],
    ["centos_7", ["etc/os-release"], { did: "centos", versionId: "7", cpe: "cpe:/o:centos:centos:7" }],
    ["debian_6", ["etc/debian_version"], { did: "debian", versionId: "6", version: "6.0.10" }],
    ["debian_8", ["etc/os-release"], { did: "debian", versionId: "8", versionCodeName: "jessie" }],
    ["debian_9", ["etc/os-release"], { did: "debian", versionId: "9", versionCodeName: "stretch" }],
    ["oraclelinux_5_11", ["etc/oracle-release", "etc/enterprise-release"], { did: "ol", versionId: "5.11" }],
    ["oraclelinux_6_9", ["etc/os-release"], { did: "ol", versionId: "6.9" }],
    ["oraclelinux_7_5", ["etc/os-release"], { did: "ol", versionId: "7.5" }],
    ["redhat_7", ["etc/os-release", "etc/redhat-release"], { did: "rhel", versionId: "7.0", like: ["fedora"] }],
    [
      "ubuntu_10_04",
      ["etc/debian_version", "etc/lsb-release"],
      { did: "ubuntu", versionId: "10.04", versionCodeName: "lucid" },
    ],
    ["ubuntu_14_04", ["etc/os-release"], { did: "ubuntu", versionId: "14.04" }],
    ["ubuntu_16_04", ["etc/os-release"], { did: "ubuntu", versionId: "16.04", versionCodeName: "xenial" }],
  ])("identifies %s", (name, paths, expected) => {
    const releases = releasesIn(readAll(`${folder}/snyk/${name}/fs`, paths));

    expect(releases).toEqual([expect.objectContaining(expected)]);
  });

  it.each<[string, string[], Partial<Release>, string[]]>([
    [
      "dpkg/debian-bookworm-minbase",
      ["usr/lib/os-release", "etc/debian_version"],
      { did: "debian", versionId: "12", versionCodeName: "bookworm" },
      [],
    ],
    [
      "dpkg/debian-trixie-minbase",
      ["usr/lib/os-release", "etc/debian_version"],
      { did: "debian", versionId: "13", versionCodeName: "trixie" },
      [],
    ],
    [
      "apk/alpine-3.20",
      ["etc/os-release", "etc/alpine-release", "etc/apk/repositories"],
      { did: "alpine", versionId: "3.20.3" },
      ["v3.20/main", "v3.20/community"],
    ],
    [
      "apk/alpine-edge",
      ["usr/lib/os-release", "etc/alpine-release", "etc/apk/repositories"],
      { did: "alpine", versionId: "3.21.0_alpha20240923", prettyName: "Alpine Linux edge" },
      ["edge/main", "edge/community"],
    ],
  ])("identifies %s and its repositories", (name, paths, expected, repositories) => {
    const findings = detectIn(distributionDetector, readAll(`${data}/packagedbs/${name}`, paths));

    expect(findings.find((found) => found.kind === "distribution")?.distribution).toMatchObject(expected);
    expect(findings.flatMap((found) => (found.kind === "repository" ? [found.repository.name] : []))).toEqual(
      repositories,
    );
    expect(findings.filter((found) => found.kind === "problem")).toEqual([]);
  });

  it.each<[file: string, path: string, did: string | undefined, problems: number]>([
    ["generated/osrelease/empty/os-release", "etc/os-release", undefined, 0],
    ["generated/osrelease/unterminated-quote/os-release", "etc/os-release", "debian", 1],
    ["generated/osrelease/64MiB-line/os-release.gz", "etc/os-release", undefined, 1],
    ["peers/snyk+snyk-docker-plugin/os/os_release_corrupt/fs/etc/os-release", "etc/os-release", undefined, 1],
    ["peers/snyk+snyk-docker-plugin/os/lsb_release_corrupt/fs/etc/lsb-release", "etc/lsb-release", undefined, 0],
    ["peers/quay+claircore/osrelease/DistrolessCorrupt.txtar", "etc/os-release", "debian", 1],
  ])("reads the damaged file %s", (file, path, did, problems) => {
    const bytes = readFileSync(`${data}/bad/${file}`);
    const findings = detectIn(distributionDetector, {
      [path]: new Uint8Array(file.endsWith(".gz") ? gunzipSync(bytes) : bytes),
    });

    expect(findings.find((found) => found.kind === "distribution")?.distribution.did).toBe(did);
    expect(findings.filter((found) => found.kind === "problem")).toHaveLength(problems);
  });
});

function readAll(root: string, paths: readonly string[]): Record<string, Uint8Array> {
  return Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(`${root}/${path}`))]));
}

function releasesIn(entries: Record<string, Uint8Array>): Release[] {
  const findings = detectIn(distributionDetector, entries);
  return findings.flatMap((found) => (found.kind === "distribution" ? [found.distribution] : []));
}

/** The fields that the corpus has, by their wire names. */
function onWire({ did, name, version, versionCodeName, versionId, prettyName, cpe }: Release) {
  const fields = {
    did,
    name,
    version,
    version_code_name: versionCodeName,
    version_id: versionId,
    pretty_name: prettyName,
    cpe,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Files in one text, each after a line `-- name --`. */
function readTxtar(text: string): Map<string, string> {
  const [, ...parts] = text.split(/^-- (.+) --\n/m);
  return new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ""] as const] : [])));
}
