import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";
import { isTestData } from "../language/package-folders.ts";

/** A part of the name of a gem's file that is a version; the parts behind it are a platform: `nokogiri-1.15.0-x86_64-linux.gem`. */
const version = /^\d+(?:\.[0-9A-Za-z]+)*$/;

/** @see https://guides.rubygems.org/specification-reference/ */
function gemOf(path: string): EvidencePackage | undefined {
  const parts = path.slice(path.lastIndexOf("/") + 1, -".gem".length).split("-");
  const at = parts.findLastIndex((part, index) => index > 0 && version.test(part));
  return at < 0 ? undefined : { name: parts.slice(0, at).join("-"), version: parts[at] ?? "" };
}

/** What shows that there are gems. */
export const rubyEvidence: readonly EvidenceRule[] = [
  { kind: "ruby", extensions: ["gemspec"], where: /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/ },
  { kind: "ruby", extensions: ["gem"], unless: { test: isTestData }, packageOf: gemOf },
  packedInTar("ruby", /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$|\.gem$/),
  lockFilesNamed("ruby", "Gemfile.lock", "gems.locked"),
  lockFilesLike("ruby", "lock", /[^/]\.gemfile\.lock$/i),
];
