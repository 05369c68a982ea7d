import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../fixtures/any-character.ts";
import { parseAssignments } from "./assignments.ts";
import { distributionDetector, parseApkRepositories } from "./detector.ts";
import { bytesOf, detectIn } from "./fixtures/layer-files.ts";
import { releaseFileKinds } from "./release-files.ts";

const runs = { seed: 1970, numRuns: 200 };
const piece = fc.constantFrom(
  "ID=",
  "VERSION_ID=",
  '"',
  "'",
  "\\",
  "'\\''",
  "\n",
  "=",
  "1.2",
  "debian",
  "Ubuntu ",
  "cpe:/o:",
);
const text = fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 8 })), { maxLength: 40 });
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  text.map((pieces) => bytesOf(pieces.join(""))),
);
const paths = [
  ...releaseFileKinds.flatMap((kind) => kind.paths),
  ...["etc/apk/repositories", "var/lib/ubuntu-advantage/status.json"],
];

describe("distributionDetector", () => {
  it("does not throw, finds at most one distribution, and identifiers have only characters that a report allows", () => {
    const layer = fc.dictionary(fc.constantFrom(...paths), bytes);
    fc.assert(
      fc.property(layer, (entries) => {
        const found = detectIn(distributionDetector, entries).flatMap((finding) =>
          finding.kind === "distribution" ? [finding.distribution] : [],
        );

        expect(found.length).toBeLessThanOrEqual(1);
        for (const { did = "", versionId = "x", versionCodeName = "x" } of found) {
          for (const word of [did, versionId, versionCodeName]) expect(word).toMatch(/^[0-9a-z._-]+$/);
        }
      }),
      runs,
    );
  });
});

describe("parseAssignments", () => {
  it("reads back a quoted value", () => {
    const value = fc.stringMatching(/^[ -~]{0,30}$/);
    fc.assert(
      fc.property(value, (plain) => {
        const double = `A="${plain.replace(/[`\\"$]/g, "\\$&")}"`;
        const single = `A='${plain.replaceAll("'", "'\\''")}'`;
        for (const line of [double, single]) expect(parseAssignments(bytesOf(line)).values.get("A")).toBe(plain);
      }),
      runs,
    );
  });

  it("does not throw", () => {
    fc.assert(
      fc.property(bytes, (input) => {
        parseAssignments(input);
        parseApkRepositories(input);
      }),
      runs,
    );
  });
});
