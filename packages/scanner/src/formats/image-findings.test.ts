import type { Vulnerability } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { sampleImage } from "./fixtures/sample-images.ts";
import { cvssRatings } from "./image-findings.ts";

describe("cvssRatings", () => {
  const [vector, score] = ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8];

  it.each<[string, Partial<Vulnerability>, readonly object[]]>([
    ["of the advisory alone", { severity: vector }, [{ version: "3.1", vector, score, source: "osv" }]],
    ["of the advisory alone, a word", { severity: "high" }, []],
    [
      "of other sources",
      {
        severity: vector,
        ratings: [{ by: "nvd", source: "nvd@nist.gov", name: "", severity: "Low", text: vector, score }],
      },
      [{ version: "3.1", vector, score, source: "nvd@nist.gov" }],
    ],
    [
      "of a service that calls a word a vector",
      { ratings: [{ by: "nvd", source: "nvd@nist.gov", name: "", severity: "Low", text: "LOW", score }] },
      [],
    ],
  ])("lists scores %s", (_, change, listed) => {
    const { vulnerabilities } = sampleImage().vulnerabilities;

    expect(cvssRatings({ ...vulnerabilities["3"], updater: "osv", ...change } as Vulnerability)).toEqual(listed);
  });
});
