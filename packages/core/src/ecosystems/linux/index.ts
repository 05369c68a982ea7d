import type { Ecosystem, VersionScheme } from "../../plugins.ts";
import { distributionDetector } from "./detector.ts";

/** Releases are named, not ordered. */
const releaseNames: VersionScheme<string> = {
  name: "release",
  parse: (text) => text,
  compare: (a, b) => (a === b ? 0 : a < b ? -1 : 1),
};

/** Which operating system release an image is; it has no packages of its own. */
export const linux: Ecosystem = {
  name: "linux",
  versions: releaseNames,
  detectors: [distributionDetector],
  coalesce: () => [],
  matchers: [],
  updaters: [],
};
