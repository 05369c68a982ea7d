import { describe, expect, it } from "vitest";
import { ubuntuMatcher } from "../../ecosystems/dpkg/matcher.ts";
import { samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { matchRecords } from "../../match/match-records.ts";
import type { Json } from "../../model/json-value.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { ubuntuUpdater } from "./updater.ts";

const fixed = (version: string) => [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: version }] }];

function entry(ecosystem: string, distro: string, version: string): Json {
  const purl = `pkg:deb/ubuntu/wayland@${version}?arch=source&distro=${distro}`;
  return { package: { ecosystem, name: "wayland", purl }, ranges: fixed(version) };
}

function record(...affected: Json[]): Json {
  const severity = [{ type: "Ubuntu", score: "medium" }];
  return { id: "UBUNTU-CVE-2021-3782", upstream: ["CVE-2021-3782"], severity, affected };
}

function vex(status: string, distro: string, more: Readonly<Record<string, Json>> = {}): Json {
  const products = ["source", "amd64"].map((arch) => ({
    "@id": `pkg:deb/ubuntu/wayland@1.12?arch=${arch}&distro=${distro}`,
  }));
  const vulnerability = { name: "CVE-2021-3782" };
  return { "@context": "https://openvex.dev/ns/v0.2.0", statements: [{ vulnerability, products, status, ...more }] };
}

async function advisoriesOf(...documents: Json[]) {
  const files = Object.fromEntries(documents.map((document, i) => [`${i}.json`, JSON.stringify(document)]));
  const items = await itemsOf(ubuntuUpdater, feedReaderOf(files, { layout: "folder" }));
  return items.map((item) => (item.kind === "item" ? item.item : expect.fail(item.message)));
}

const esm = entry("Ubuntu:Pro:16.04:LTS", "esm-infra/xenial", "1.12+esm1");
const pro = [{ id: "1", name: "Ubuntu Pro: ESM Infra", key: "esm-infra" }];

describe("ubuntuUpdater", () => {
  it.each([
    ["without Ubuntu Pro, no fix", "1.12", [], ["affected", undefined]],
    ["with Ubuntu Pro, its fix", "1.12", pro, ["affected", "1.12+esm1"]],
    ["with another service, no fix", "1.12", [{ id: "1", key: "esm-apps" }], ["affected", undefined]],
    ["the fix is there", "1.12+esm1", pro, []],
    ["the fix is there, whatever the image says of Ubuntu Pro", "1.12+esm1", [], []],
    ["a later one is there", "1.12+esm2", [], []],
  ] as const)("a fix for subscribers: %s", async (_, version, repositories, expected) => {
    const found = samplePackage(`libwayland0 ${version}`, { from: `wayland ${version}` });
    const image = sampleRecord("ubuntu 16.04", found, [...repositories]);

    const { affected } = matchRecords([ubuntuMatcher], {
      records: [image],
      advisories: await advisoriesOf(record(esm)),
    });

    expect(affected.flatMap(({ verdict }) => [verdict.kind, verdict.fixedInVersion])).toEqual(expected);
  });

  it("does not apply a subscriber's entry to a plain release with its own entry", async () => {
    const advisories = await advisoriesOf(record(entry("Ubuntu:16.04:LTS", "xenial", "1.10"), esm));

    expect(advisories.map(({ ecosystem, ranges }) => [ecosystem, ranges])).toEqual([
      ["ubuntu:16.04", [{ fixed: "1.10" }]],
      ["ubuntu:16.04:esm-infra", [{ fixed: "1.12+esm1" }]],
    ]);
  });

  it("takes the priority as severity, and nothing of FIPS builds", async () => {
    const fips = entry("Ubuntu:Pro:FIPS:22.04:LTS", "fips/jammy", "1.13");

    expect(await advisoriesOf(record(entry("Ubuntu:22.04:LTS", "jammy", "1.13"), fips))).toMatchObject([
      { updater: "ubuntu", ecosystem: "ubuntu:22.04", severity: "medium", normalizedSeverity: "Medium" },
    ]);
  });

  it.each<[string, Readonly<Record<string, Json>>, string | undefined]>([
    ["not_affected", { justification: "vulnerable_code_not_present" }, "not-affected"],
    ["not_affected", { justification: "component_not_present" }, undefined],
    ["under_investigation", {}, "undetermined"],
    ["affected", {}, undefined],
    ["fixed", {}, undefined],
  ])("a VEX statement %s %j about a source: %s", async (status, more, expected) => {
    const advisories = await advisoriesOf(vex(status, "esm-infra/xenial", more));

    expect(advisories.map((each) => [each.status, each.ecosystem, each.packageKind])).toEqual(
      expected === undefined ? [] : [[expected, "ubuntu:16.04:esm-infra", "SOURCE"]],
    );
  });

  it("lets a statement of not-affected win over a record", async () => {
    const advisories = await advisoriesOf(record(esm), vex("not_affected", "xenial"));
    const image = sampleRecord("ubuntu 16.04", samplePackage("wayland 1.12", { from: "wayland 1.12" }), []);

    expect(matchRecords([ubuntuMatcher], { records: [image], advisories }).affected).toEqual([]);
  });

  it("refuses a site without its archives, and half a record", async () => {
    const page = feedReaderOf({ "": "<!doctype html><html></html>" });
    const half = feedReaderOf({ "": JSON.stringify(record(esm)).slice(0, 80) });

    await expect(itemsOf(ubuntuUpdater, page)).rejects.toMatchObject({ code: "not_found" });
    await expect(itemsOf(ubuntuUpdater, half)).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
