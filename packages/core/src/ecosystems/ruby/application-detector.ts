import { joinPath, nameOf, parentOf } from "../../layer/paths.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { withoutPlatform } from "../../versions/gem/platform.ts";
import { isOfDependency } from "../language/package-folders.ts";
import { provenPackage } from "../language/proof.ts";
import { isPlain, ownText } from "../linux/text.ts";
import { gemspecDetails, gemspecLines } from "./gemspec.ts";
import { parseSourceGemspec } from "./git-gemspec.ts";

/** Installed gems. */
const elsewhere = /(?:^|\/)specifications\//;
/** What may belong to tests: it is an application only with gems of its own. */
const ofTests = /(?:^|\/)(?:spec|tests?|fixtures?|features|examples?)\//;

/** The folders of a project into which Bundler may install its gems. */
const bundles = ["vendor/bundle", ".bundle"] as const;

/** The largest specification that is read. */
const maxBytes = 1024 ** 2;

/**
 * Finds applications that run from their sources, by a specification in them: with gems in a folder of the project, or if at least half of the gems
 * that it needs are in the image. Applications of Rails mostly have no specification, hence no name and version. A version that is not assigned as a plain text is not known; a name that is not is
 * that of the file, which RubyGems expects.
 * @see https://guides.rubygems.org/specification-reference/
 */
export const rubyApplicationDetector: FileDetector = {
  name: "ruby-application",
  revision: 3,
  ignoresArchives: true,
  names: { endings: [".gemspec"] },
  wants: ({ path, sizeBytes }: FileEntry) =>
    path.endsWith(".gemspec") && sizeBytes <= maxBytes && !isOfDependency(path) && !elsewhere.test(path),
  *detect(file: LayerFile, { details = true }: DetectOptions = {}): Iterable<Finding> {
    const {
      name = nameOf(file.path).slice(0, -".gemspec".length),
      version = "",
      dependencies,
    } = parseSourceGemspec(file.bytes);
    if (name === "" || !isPlain(name) || !isPlain(version) || version === "0.0.0") return;
    const dependenciesIn = bundles.map((bundle) => joinPath(parentOf(file.path), bundle));
    yield provenPackage(file, {
      name: ownText(name),
      version: ownText(withoutPlatform(version)),
      dependenciesIn,
      dependencies: ofTests.test(file.path) ? [] : dependencies,
      details: details ? gemspecDetails(gemspecLines(file.bytes)) : undefined,
    });
  },
};
