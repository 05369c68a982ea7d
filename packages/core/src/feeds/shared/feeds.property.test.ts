import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { debianAdvisories } from "../debian-tracker/tracker.ts";
import { osvAdvisories } from "../osv/record.ts";
import { readSecdb, secdbAdvisories } from "../secdb/secdb.ts";
import { wholeRecord } from "./malformed-feed.ts";

const text = fc.constantFrom(
  "",
  "0",
  "1.2",
  "AlmaLinux:9",
  "npm",
  "CVE-2024-0001",
  "SEMVER",
  "CVSS_V3",
  "resolved",
  "open",
  "v3.20",
);
const keys = fc.constantFrom(
  ...["id", "aliases", "affected", "package", "ecosystem", "name", "ranges", "type", "events", "introduced", "fixed"],
  ...["versions", "severity", "score", "summary", "published", "references", "url", "database_specific"],
  ...["releases", "bookworm", "status", "fixed_version", "urgency", "packages", "pkg", "secfixes", "distroversion"],
);

/** JSON that looks like a record of a feed, more or less. */
const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.constantFrom<Json>(null, true, 7, Number.POSITIVE_INFINITY),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
  ),
})).value;

const inFeed = new Set(["bookworm", "sid"]);

describe("feeds", () => {
  it.each<[string, (place: JsonPlace) => unknown]>([
    ["osvAdvisories", (place) => osvAdvisories(place, { updater: "osv", wants: () => true })],
    [
      "debianAdvisories",
      (place) => debianAdvisories({ source: "curl", name: "CVE-2024-0001", inFeed }, place, wholeRecord),
    ],
    [
      "secdbAdvisories",
      (place) => {
        const secdb = readSecdb(place, "v3.20/main.json");
        return secdb?.packages.map((listed) => secdbAdvisories({ updater: "alpine", secdb }, listed, wholeRecord));
      },
    ],
  ])("%s reads whatever JSON there is, or says what is wrong with it", (_, read) => {
    const outcome = (value: Json): string => {
      try {
        read(documentPlace(value, "feed.json", "malformed_feed"));
        return "read";
      } catch (error) {
        return error instanceof ScanError ? error.code : String(error);
      }
    };
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(["read", "malformed_feed"]).toContain(outcome(value));
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
