/** Matches one package against one advisory and compares two versions, without an image, a database or a network. */
import { debianMatcher } from "@plimsoll/core/matchers/debian";
import { compare } from "@plimsoll/core/versions/dpkg";

console.log("1.2~rc1 against 1.2:", compare("1.2~rc1", "1.2"));

const source = { id: "2", name: "expat", version: "2.5.0-1", kind: "SOURCE" } as const;
const record = {
  package: { id: "1", name: "libexpat1", version: "2.5.0-1", kind: "BINARY", arch: "amd64", source },
  packageDb: "var/lib/dpkg/status",
  distribution: { id: "1", did: "debian", versionId: "12" },
  repositories: [],
} as const;
const advisory = {
  id: "example/1",
  name: "CVE-2024-45491",
  aliases: [],
  ecosystem: "debian:12",
  packageName: "expat",
  packageKind: "SOURCE",
  status: "affected",
  ranges: [{ fixed: "2.5.0-1+deb12u1" }],
  versions: [],
} as const;

const verdict = debianMatcher.judge(record, advisory, {
  step: (rule, detail) => console.log(`${rule}: ${detail}`),
});
console.log("verdict:", verdict);
