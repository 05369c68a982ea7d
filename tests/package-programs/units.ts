/** A version order and a matcher, each imported alone. */
import type { AdvisoryRule, IndexRecord } from "@plimsoll/core/match";
import { debianMatcher } from "@plimsoll/core/matchers/debian";
import { compare, valid } from "@plimsoll/core/versions/dpkg";
import * as semver from "@plimsoll/core/versions/semver";

if (compare("1:1.2~rc1-1", "1:1.2-1") !== -1 || valid("a b")) throw new Error("dpkg's order");
if (semver.compare("1.0.0-rc.1", "1.0.0") !== -1) throw new Error("npm's order");

const record: IndexRecord = {
  package: { id: "1", name: "zlib", version: "1:1.2", kind: "SOURCE" },
  packageDb: "var/lib/dpkg/status",
  distribution: { id: "1", did: "debian", versionId: "12", versionCodeName: "bookworm" },
  repositories: [],
};
const advisory: AdvisoryRule = {
  id: "debian/1",
  name: "CVE-2024-0001",
  aliases: [],
  ecosystem: "debian:12",
  packageName: "zlib",
  packageKind: "SOURCE",
  status: "affected",
  ranges: [{ fixed: "1:1.3" }],
  versions: [],
};
const verdict = debianMatcher.judge(record, advisory);
if (verdict.kind !== "affected") throw new Error(JSON.stringify(verdict));
console.log(verdict.kind, verdict.fixedInVersion);
