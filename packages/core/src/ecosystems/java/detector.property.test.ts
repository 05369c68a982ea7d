import { damagedForms, fuzzRuns, makeZip } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { createJavaDetector } from "./detector.ts";
import { manifest, pom, pomXml } from "./fixtures/make-jar.ts";

const inner = makeZip({ ...pom("g", "a", "1"), ...manifest({ "Implementation-Version": "1" }) });
const sound = makeZip({
  ...pomXml("g", "b", "<version>1</version>"),
  "lib/a-1.jar": inner,
  "b.war": makeZip({ "lib/c.jar": inner }),
  ...manifest({}),
});

describe("createJavaDetector", () => {
  it("throws only ScanError for damaged archives", () => {
    const detector = createJavaDetector();
    fc.assert(
      fc.property(damagedForms(sound), (bytes) => {
        try {
          for (const finding of detector.detect({ path: "a.jar", contentPath: "a.jar", mode: 0o644, bytes })) {
            expect(["package", "problem"]).toContain(finding.kind);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      fuzzRuns(500),
    );
  });
});
