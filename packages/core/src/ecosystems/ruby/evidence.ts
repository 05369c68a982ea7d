import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** A part of the name of a gem's file that is a version; the parts behind it are a platform: `nokogiri-1.15.0-x86_64-linux.gem`. */
const version = /^\d+(?:\.[0-9A-Za-z]+)*$/;

/** @see https://guides.rubygems.org/specification-reference/ */
function gemOf(path: string): EvidencePackage | undefined {
  const parts = path.slice(path.lastIndexOf("/") + 1, -".gem".length).split("-");
  const at = parts.findLastIndex((part, index) => index > 0 && version.test(part));
  return at < 0 ? undefined : { name: parts.slice(0, at).join("-"), version: parts[at] ?? "" };
}

/** Bundler has its checkouts, which are named by revisions, in a folder of its own. */
const checkouts = "bundler/gems/";
const gems = "gems/";

/** The folder of an unpacked gem, `NAME-VERSION`: the first one of a path, since a gem may have others in its tests. */
function unpackedFolder(path: string): string | undefined {
  if (!path.includes(gems) || path.includes(checkouts)) return undefined;
  for (let at = path.indexOf(gems); at >= 0; at = path.indexOf(gems, at + 1)) {
    const start = at + gems.length;
    const end = path.indexOf("/", start);
    if (end < 0) return undefined;
    const folder = path.slice(start, end);
    if ((at === 0 || path[at - 1] === "/") && gemOf(`${folder}.gem`) !== undefined) return folder;
  }
  return undefined;
}

/** The files of a gem, whose specification is in another folder, or has been deleted. */
function unpackedGem(path: string): string | undefined {
  const folder = unpackedFolder(path);
  return folder && `gems/${folder}/`;
}

function unpackedAs(path: string): EvidencePackage | undefined {
  const folder = unpackedFolder(path);
  return folder === undefined ? undefined : gemOf(`${folder}.gem`);
}

/** What shows that there are gems. */
export const rubyEvidence: readonly EvidenceRule[] = [
  { kind: "ruby", extensions: ["gemspec"], where: /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/ },
  { kind: "ruby", extensions: ["gem"], packageOf: gemOf },
  { kind: "ruby", folderOf: unpackedGem, packageOf: unpackedAs },
  packedInTar("ruby", /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$|\.gem$/),
  lockFilesNamed("ruby", "Gemfile.lock", "gems.locked"),
  lockFilesLike("ruby", "lock", /[^/]\.gemfile\.lock$/i),
];
