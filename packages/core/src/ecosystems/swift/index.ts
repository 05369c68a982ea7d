import { isObject, textOf } from "../../model/json-object.ts";
import { semverVersions } from "../../versions/semver/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { packageNameOf, swiftDetector } from "./detector.ts";
import { swiftEvidence } from "./evidence.ts";

/**
 * The lock file of the Swift package manager:
 *
 * ```
 * 1:   { object: { pins: [{ repositoryURL, state: { version } }] } }
 * 2/3: { pins: [{ kind, location, state: { version } }] }
 * ```
 * A commit without a version is in no registry. The file does not say which packages are for development.
 * @see https://github.com/swiftlang/swift-package-manager/blob/main/Documentation/Usage.md
 */

const resolvedDetector = lockFileDetector({
  name: "swift-package-resolved",
  isNamed: (file) => file === "Package.resolved",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    const root = isObject(json) && isObject(json.object) ? json.object : json;
    const pins = isObject(root) ? root.pins : undefined;
    for (const pin of Array.isArray(pins) ? pins : []) {
      if (!isObject(pin)) continue;
      const name = packageNameOf(textOf(pin.location) || textOf(pin.repositoryURL));
      const version = isObject(pin.state) ? textOf(pin.state.version) : "";
      if (name !== "") yield { name, version, isUnpublished: version === "" };
    }
  },
});

/** The detectors of Swift's lock files. */
const swiftLockFiles = [resolvedDetector];

/** Swift packages that projects have resolved or checked out. Installed programs do not name their packages. */
export const swift = defineLanguage({
  name: "swift",
  ecosystem: "SwiftURL",
  repository: "swift",
  fileDetectors: [swiftDetector],
  lockFileDetectors: swiftLockFiles,
  versions: semverVersions,
  wholeName: /^[^/.]+\.[^/]+\//, // the address of a repository begins with a host
  keysRevision: 3,
  evidence: swiftEvidence,
  purl: ["swift"],
  assesses: ["swift"],
});
