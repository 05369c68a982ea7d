import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { distributionDetector } from "./detector.ts";

/** The operating system release of an image. This ecosystem has no packages. */
export const linux: Ecosystem = {
  name: "linux",
  detectors: [distributionDetector],
  matchers: [],
  purl: [],
};
