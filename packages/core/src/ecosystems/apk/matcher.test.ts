import { describe, expect, it } from "vitest";
import { alpineSecdbUpdater } from "../../feeds/secdb/updaters.ts";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { advisorySourceOf } from "../../match/advisory-source-of.ts";
import { sampleAdvisory, samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { matchRecords } from "../../match/match-records.ts";
import { matchReport } from "../../match/match-report.ts";
import { engineWith, fileOf, indexLayers } from "../language/fixtures/index-layers.ts";
import { alpineMatcher } from "./matcher.ts";

const libcrypto = samplePackage("libcrypto1.1 1.1.1c-r0", { from: "openssl 1.1.1c-r0" });

describe("alpineMatcher", () => {
  it.each([
    ["1.1.1d-r0", { kind: "affected", fixedInVersion: "1.1.1d-r0" }],
    ["1.1.1c-r0", { kind: "not-affected", reason: "fixed" }],
    ["1.1.1c_p1-r0", { kind: "affected", fixedInVersion: "1.1.1c_p1-r0" }],
    ["1.1.1c_rc1-r0", { kind: "not-affected", reason: "fixed" }],
    ["1.1.1 d", { kind: "undecided", reason: "malformed-advisory-version" }],
  ])("judges a fix in %s", (fixed, verdict) => {
    const advisory = sampleAdvisory("alpine:3.10", "openssl", { packageKind: "SOURCE", ranges: [{ fixed }] });

    expect(alpineMatcher.judge(sampleRecord("alpine 3.10.2", libcrypto), advisory)).toEqual(verdict);
  });

  it.each([
    ["3.3.3p1", "3.3.3p1-r10", { kind: "undecided", reason: "malformed-package-version" }],
    ["3.3.3p1-r3", "3.3.3p1-r10", { kind: "affected", fixedInVersion: "3.3.3p1-r10" }],
    ["6.6.2p1-r0", "6.6.2p1-r0", { kind: "not-affected", reason: "fixed" }],
    ["6.6.2-r2", "6.6.2p1-r0", { kind: "affected", fixedInVersion: "6.6.2p1-r0" }],
    ["6.7.0-r0", "6.6.2p1-r0", { kind: "not-affected", reason: "fixed" }],
  ])("judges versions that only apk-tools 2 accepted: %s, fixed in %s", (installed, fixed, verdict) => {
    const opensmtpd = samplePackage(`opensmtpd ${installed}`, { from: `opensmtpd ${installed}` });
    const advisory = sampleAdvisory("alpine:3.20", "opensmtpd", { packageKind: "SOURCE", ranges: [{ fixed }] });

    expect(alpineMatcher.judge(sampleRecord("alpine 3.20.3", opensmtpd), advisory)).toEqual(verdict);
  });

  it("finds each vulnerability of a security database once, although several texts name it", async () => {
    const secfixes = {
      "1.1.1d-r0": ["CVE-2019-1 CVE-2019-2 XSA-275", "CVE-2019-2", "CVE-2019-3 XSA-276", "XSA-276"],
      "1.1.1e-r0": ["CVE-2019-1 CVE-2019-2", "CVE-2019-4"],
    };
    const packages = [{ pkg: { name: "openssl", secfixes } }];
    const text = JSON.stringify({ distroversion: "v3.10", reponame: "main", packages });
    const items = await itemsOf(alpineSecdbUpdater, feedReaderOf({ "": text }));
    const advisories = items.flatMap((each) => (each.kind === "item" ? [each.item] : []));

    const { affected } = matchRecords([alpineMatcher], {
      records: [sampleRecord("alpine 3.10.2", libcrypto)],
      advisories,
    });

    const found = affected.map(({ advisory, verdict }) => [advisory.name, advisory.aliases, verdict.fixedInVersion]);
    expect(found.sort()).toEqual([
      ["CVE-2019-1", ["CVE-2019-2", "XSA-275"], "1.1.1e-r0"],
      ["CVE-2019-3", ["XSA-276"], "1.1.1d-r0"],
      ["CVE-2019-4", [], "1.1.1e-r0"],
    ]);
  });

  it.each([
    ["with an origin", "o:openssl\n", undefined],
    ["without one", "", [{ fact: "source", packageIds: ["1"] }]],
    ["without one or files", "I:0\n", undefined],
  ])("judges a package of a database %s", async (_, line, undecided) => {
    const members = [
      fileOf("etc/os-release", "ID=alpine\nVERSION_ID=3.20.1\n"),
      fileOf("lib/apk/db/installed", `P:libcrypto3\nV:3.3.0-r0\nA:x86_64\n${line}\n`),
    ];
    const advisories = advisorySourceOf([sampleAdvisory("alpine:3.20", "zlib", { packageKind: "SOURCE" })]);

    const { coverage } = await matchReport(engineWith(), await indexLayers([members]), { advisories });

    expect(coverage.undecided).toEqual(undecided);
  });

  it("looks up the branch of the repositories rather than of the release", () => {
    const edge = [{ id: "1", uri: "https://mirror.example.org/alpine/edge/main" }];

    expect(alpineMatcher.keys(sampleRecord("alpine 3.20.3", libcrypto, edge))).toEqual([
      { ecosystem: "alpine:edge", name: "libcrypto1.1" },
      { ecosystem: "alpine:edge", name: "openssl" },
    ]);
  });
});
