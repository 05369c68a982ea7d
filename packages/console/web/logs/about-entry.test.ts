import { expect, it } from "vitest";
import { aboutEntry, aboutText } from "./about-entry.tsx";

const image = { namespace: "acme", repo: "app", tag: "1.0" };
const rules = { severity: "High", epss: 0.07, known_exploited: true, only_fixed: true, grace_days: 7 };
const named = ["CVE-1", "CVE-2", "CVE-3"].map((vulnerability) => ({
  ...{ vulnerability, package: "openssl", severity: "High" },
}));
const denied = { gate: "organization", verdict: "deny", findings: 5, vulnerabilities: ["CVE-1"] };

it.each([
  {
    what: "a refused pull, with the rules and the worst findings",
    metadata: { ...image, pull_gate: { ...denied, named, rules } },
    text:
      "acme/app:1.0 was refused by the pull gate of the organization. 5 findings count by its rules (from High or exploit probability from " +
      "7.0 % or known to be exploited, with a fix, published 7 days ago or earlier): CVE-1 in openssl (High), CVE-2 in openssl (High), CVE-3 " +
      "in openssl (High), and 2 more.",
  },
  {
    what: "a pull that would have been refused",
    metadata: {
      ...{ namespace: "acme", repo: "app", manifest_digest: `sha256:${"a".repeat(64)}` },
      pull_gate: { ...denied, gate: "repository", mode: "dry_run", findings: 1, named: named.slice(1, 2), rules },
    },
    text:
      "acme/app@aaaaaaaaaaaa would have been refused by the pull gate of the repository. 1 finding counts by its rules (from High or exploit " +
      "probability from 7.0 % or known to be exploited, with a fix, published 7 days ago or earlier): CVE-2 in openssl (High).",
  },
  {
    what: "an entry of an older release",
    metadata: { ...image, pull_gate: denied },
    text: "acme/app:1.0 was refused by the pull gate of the organization. 5 findings count: CVE-1, and 4 more.",
  },
  {
    what: "an image that is not assessed",
    metadata: {
      ...image,
      pull_gate: { gate: "repository", verdict: "pending", findings: 0, missing: "the image is not scanned yet" },
    },
    text: "acme/app:1.0 was refused by the pull gate of the repository. It denies images that are not fully assessed: the image is not scanned yet.",
  },
  {
    what: "a pull that passed by a document",
    metadata: { ...image, pull_gate: { gate: "repository", verdict: "allow", statements: [{ by: "carol" }] } },
    text: "acme/app:1.0 passed the pull gate of the repository by a VEX document of carol.",
  },
  { what: "a push", metadata: { ...image, username: "ada" }, text: "acme/app:1.0 – username: ada" },
  { what: "a repository", metadata: { namespace: "acme", repo: "app" }, text: "acme/app" },
  { what: "anything else", metadata: { username: "ada", n: 1 }, text: "username: ada" },
  { what: "members of other types", metadata: { ...image, pull_gate: [1] }, text: "acme/app:1.0" },
])("aboutEntry tells of $what", ({ metadata, text }) => {
  expect(aboutText({ metadata })).toBe(text);
});

it("aboutEntry links the image, the gate and the vulnerabilities", () => {
  const pieces = aboutEntry({ metadata: { ...image, pull_gate: { ...denied, named, rules } } });

  expect(pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.path]))).toEqual([
    ...["/acme/app:1.0", "/acme?view=policies&part=gate", "/cve/CVE-1", "/cve/CVE-2", "/cve/CVE-3"],
  ]);
});
