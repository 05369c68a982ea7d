import { describe, expect, it } from "vitest";
import { sampleDistribution } from "../../match/fixtures/samples.ts";
import { apkEcosystem } from "./advisory-ecosystem.ts";

const repositories = (...uris: string[]) => uris.map((uri, i) => ({ id: String(i), uri }));
const mirror = "https://mirror.example.org/alpine";

describe("apkEcosystem", () => {
  it.each([
    ["alpine 3.20.3", "alpine:3.20"],
    ["alpine 3.18", "alpine:3.18"],
    ["alpine edge", "alpine:edge"],
    ["alpine 3.21_alpha20240923", "alpine:edge"],
    ["alpine 3.20.0_rc1", "alpine:3.20"],
    ["alpine", undefined],
    ["wolfi 20230201", "wolfi"],
    ["chainguard 20230214", "chainguard"],
    ["minimos 20241031", "minimos"],
    ["postmarketos v24.06", undefined],
    ["debian 12", undefined],
  ])("%s: %s", (release, key) => {
    expect(apkEcosystem(sampleDistribution(release, { like: ["alpine"] }), [])).toBe(key);
  });

  it.each([
    ["another branch", [`${mirror}/v3.19/main`], "alpine:3.19"],
    ["edge", [`${mirror}/edge/main`, `${mirror}/edge/community/`], "alpine:edge"],
    ["several branches", [`${mirror}/v3.9/main`, `${mirror}/v3.18/community`], "alpine:3.18"],
    ["a branch and edge", [`${mirror}/edge/community`, `${mirror}/v3.18/main`], "alpine:edge"],
    ["latest-stable", [`${mirror}/latest-stable/main`], "alpine:3.20"],
    ["somebody else's packages", ["https://packages.example.org/v3.18/x"], "alpine:3.20"],
    ["edge testing only", [`${mirror}/edge/testing`], "alpine:3.20"],
  ])("is overridden by repositories: %s", (_, uris, key) => {
    expect(apkEcosystem(sampleDistribution("alpine 3.20.3"), repositories(...uris))).toBe(key);
  });
});
