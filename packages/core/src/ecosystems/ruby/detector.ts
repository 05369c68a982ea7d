import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { withoutPlatform } from "../../versions/gem/platform.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { ownText } from "../linux/text.ts";
import { gemspecDetails, gemspecLines, parseGemspec } from "./gemspec.ts";

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
