import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { apkVersions } from "../ecosystems/apk/version.ts";
import { dpkgVersions } from "../ecosystems/dpkg/version.ts";
import { rpmVersions } from "../ecosystems/rpm/version.ts";
import { satisfies } from "./fixtures/constraint.ts";
import { satisfiesRequirement } from "./fixtures/gem-requirement.ts";
import { schemes } from "./fixtures/schemes.ts";

type OrderVector = readonly [a: string, b: string, cmp: number];
type ConstraintVector = readonly [ecosystem: string, version: string, constraint: string, match: boolean];

/** Rows of `fixtures/vectors`; the README there names the judges. */
function readVectors<Vector>(name: string): readonly Vector[] {
  const lines = readFileSync(new URL(`fixtures/vectors/${name}.jsonl`, import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

const judged = schemes.filter(({ hasVectors }) => hasVectors);

describe("the vectors", () => {
  it.each(judged)("agree with the order of $versions.name, in both directions", ({ versions, compare }) => {
    const vectors = readVectors<OrderVector>(versions.name);

    const wrong = vectors.filter(([a, b, cmp]) => compare(a, b) !== cmp || compare(b, a) + cmp !== 0);

    expect(vectors.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it.each(judged)("have versions that are equal to themselves as of $versions.name", ({ versions, compare }) => {
    const vectors = readVectors<OrderVector>(versions.name);

    expect(vectors.filter(([a, b]) => compare(a, a) !== 0 || compare(b, b) !== 0)).toEqual([]);
  });

  it("agree with constraints", () => {
    const languages: Readonly<Record<string, (version: string, constraint: string) => boolean>> = {
      apk: (version, constraint) => satisfies(apkVersions, version, constraint),
      dpkg: (version, constraint) => satisfies(dpkgVersions, version, constraint),
      rpm: (version, constraint) => satisfies(rpmVersions, version, constraint),
      gem: satisfiesRequirement,
    };
    const vectors = readVectors<ConstraintVector>("constraints");

    const wrong = vectors.filter(
      ([ecosystem, version, constraint, match]) => languages[ecosystem]?.(version, constraint) !== match,
    );

    expect(vectors.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
