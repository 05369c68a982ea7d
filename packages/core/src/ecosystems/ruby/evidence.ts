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

/** The folder of an installed gem: the first one of a path, since a gem may have others in its tests. Bundler has checkouts, which are named by revisions, in a folder of its own. */
const installed = /(?:^|\/)gems\/([^/]*-\d[^/]*)\//;
const checkouts = "bundler/gems/";

/** The files of a gem, whose specification is in another folder, or has been deleted. */
function unpackedGem(path: string): string | undefined {
  if (!path.includes("gems/") || path.includes(checkouts)) return undefined;
  const folder = installed.exec(path)?.[1];
  return folder === undefined || gemOf(`${folder}.gem`) === undefined ? undefined : `gems/${folder}/`;
}

function unpackedAs(path: string): EvidencePackage | undefined {
  const folder = path.includes(checkouts) ? undefined : installed.exec(path)?.[1];
  return folder === undefined ? undefined : gemOf(`${folder}.gem`);
}

/** What shows that there are gems. */
export const rubyEvidence: readonly EvidenceRule[] = [
  { kind: "ruby", extensions: ["gemspec"], where: /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/ },
  { kind: "ruby", extensions: ["gem"], unless: { test: isTestData }, packageOf: gemOf },
  { kind: "ruby", folderOf: unpackedGem, packageOf: unpackedAs },
  packedInTar("ruby", /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$|\.gem$/),
  lockFilesNamed("ruby", "Gemfile.lock", "gems.locked"),
  lockFilesLike("ruby", "lock", /[^/]\.gemfile\.lock$/i),
];
