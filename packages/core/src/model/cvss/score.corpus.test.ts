import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { cvssScores } from "./score.ts";
import { parseCvss } from "./vector.ts";

const corpus = findCorpus();
const folders = ["nvd-2.0", "nvd-cvss-feed", "cve5", "redhat-vex", "redhat-csaf-advisories", "osv-excerpts"];

/** Vectors with the base score that NVD, GitHub, Red Hat or a CVE's author published with them. */
function publishedScores(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const folder of folders) {
    const names = readdirSync(`${corpus}/data/feeds/${folder}`, { recursive: true, encoding: "utf8" });
    for (const name of names.filter((path) => path.endsWith(".json"))) {
      collect(JSON.parse(readFileSync(`${corpus}/data/feeds/${folder}/${name}`, "utf8")), found);
    }
  }
  return found;
}

function collect(value: unknown, found: Map<string, number>): void {
  if (typeof value !== "object" || value === null) return;
  const { vectorString, baseScore, score = baseScore } = value as Record<string, unknown>;
  if (typeof vectorString === "string" && typeof score === "number") found.set(vectorString, score);
  for (const member of Object.values(value)) collect(member, found);
}

describe.skipIf(corpus === undefined)("cvssScores", () => {
  it("are those published with the vectors", () => {
    const published = publishedScores();

    expect(published.size).toBeGreaterThan(45);
    expect([...published.keys()].map((vector) => [vector, cvssScores(parseCvss(vector)).base])).toEqual([...published]);
  });
});
