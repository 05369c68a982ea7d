import { describe, expect, it } from "vitest";
import { sharingNames } from "./share-names.ts";

const about = (name: string, ...aliases: readonly string[]) => ({ name, aliases });
const cve = (number: number) => `CVE-2024-000${number}`;

describe("sharingNames", () => {
  it.each([
    ["nothing without a seed", [], []],
    ["what has the seed's name", [about(cve(1))], [cve(1), "DSA-1"]],
    ["what has a name of one that has the seed's", [about("DSA-1")], [cve(1), "DSA-1"]],
    ["what holds the seed's CVE id in its name", [about("OSV-CVE-2024-0003")], [cve(3)]],
    ["nothing about others", [about("GHSA-9")], []],
  ])("gives %s", (_, seeds, expected) => {
    const advisories = [about(cve(1)), about("DSA-1", cve(1), cve(2)), about(cve(3)), about("GHSA-1", "PYSEC-1")];

    const found = sharingNames(advisories, seeds);

    expect(found.map(({ name }) => name)).toEqual(expected);
  });
});
