import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { distributionDetector } from "./detector.ts";

/** Which operating system release an image is; it has no packages of its own. */
export const linux: Ecosystem = {
  name: "linux",
  detectors: [distributionDetector],
  matchers: [],
  purl: [],
};
