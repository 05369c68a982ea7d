import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { withoutPlatform } from "../../versions/gem/platform.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { ownText } from "../linux/text.ts";
import { gemspecDetails, gemspecLines, parseGemspec } from "./gemspec.ts";
import { parseGitGemspec } from "./git-gemspec.ts";

/**
 * Finds installed gems by their specifications, including the default gems of Ruby.
 * @see https://guides.rubygems.org/specification-reference/
 */
export const rubyDetector: FileDetector = {
  name: "ruby-gemspec",
  revision: 3,
  names: { endings: [".gemspec"] },
  wants: ({ path }: FileEntry) => path.endsWith(".gemspec") && `/${path}`.includes("/specifications/"),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const lines = gemspecLines(file.bytes);
    const found = parseGemspec(lines, file.path.slice(file.path.lastIndexOf("/") + 1));
    if (found === undefined) yield unreadable(file.path, "expected the name and version of a gem, found none");
    else {
      const [name, version] = [ownText(found.name), ownText(withoutPlatform(found.version))];
      yield provenPackage(file, { name, version, details: details ? gemspecDetails(lines) : undefined });
    }
  },
};

/** `NAME-REVISION`, the folder into which Bundler checks out a repository. It uses the first digits of the revision. */
const checkout = /(?:^|\/)bundler\/gems\/[^/]+-[0-9a-f]{7,64}\/[^/]+\.gemspec$/;

/**
 * Finds gems that Bundler has checked out with git, by the specification in the root folder of their repository. If the specification does not
 * assign name and version as plain texts, the gem remains unassessed.
 * @see https://bundler.io/guides/git.html
 */
export const rubyGitDetector: FileDetector = {
  name: "ruby-git-gemspec",
  revision: 3,
  names: { endings: [".gemspec"] },
  wants: ({ path }: FileEntry) => path.endsWith(".gemspec") && checkout.test(path),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const found = parseGitGemspec(file.bytes);
    if (found === undefined) yield { kind: "evidence", path: file.path, packages: "ruby", pieces: 1 };
    else {
      const [name, version] = [ownText(found.name), ownText(withoutPlatform(found.version))];
      yield provenPackage(file, {
        name,
        version,
        details: details ? gemspecDetails(gemspecLines(file.bytes)) : undefined,
      });
    }
  },
};
