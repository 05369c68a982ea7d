import { isOfDependency } from "../../evidence/file-evidence.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { withoutPlatform } from "../../versions/gem/platform.ts";
import { provenPackage } from "../language/proof.ts";
import { isPlain, ownText } from "../linux/text.ts";
import { parseSourceGemspec } from "./git-gemspec.ts";

/** Installed gems, and what belongs to tests. */
const elsewhere = /(?:^|\/)(?:specifications|spec|tests?|fixtures?|features|examples?)\//;

/** The folders of a project into which Bundler may install its gems. */
const bundles = ["vendor/bundle", ".bundle"] as const;

/** The largest specification that is read. */
const maxBytes = 1024 ** 2;

/**
 * Finds applications that run from their sources, by a specification in them: with gems in a folder of the project, or if at least half of the gems
 * that it needs are in the image. Applications of Rails mostly have no specification, hence no name and version. A version that is not assigned as a plain text is not known.
 * @see https://guides.rubygems.org/specification-reference/
 */
export const rubyApplicationDetector: FileDetector = {
  name: "ruby-application",
  revision: 1,
  ignoresArchives: true,
  names: { endings: [".gemspec"] },
  wants: ({ path, sizeBytes }: FileEntry) =>
    path.endsWith(".gemspec") && sizeBytes <= maxBytes && !isOfDependency(path) && !elsewhere.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const { name, version = "", dependencies } = parseSourceGemspec(file.bytes);
    if (name === undefined || !isPlain(name) || !isPlain(version) || version === "0.0.0") return;
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    const dependenciesIn = bundles.map((bundle) => folder + bundle);
    yield provenPackage(file, {
      name: ownText(name),
      version: ownText(withoutPlatform(version)),
      dependenciesIn,
      dependencies,
    });
  },
};
