import { coalesceFiles } from "../../index/coalesce-files.ts";
import { languageKey, redhatContainerRepository } from "../../model/package.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { redhatContainerDetector } from "./detector.ts";
import { redhatContainerMatcher } from "./matcher.ts";

/** Red Hat containers as packages: the image itself and the containers that it was built from. */
export const redhatContainer: Ecosystem = {
  name: "redhat-container",
  detectors: [],
  fileDetectors: [redhatContainerDetector],
  matchers: [redhatContainerMatcher],
  purl: [],
  coalesce: coalesceFiles({ name: redhatContainerRepository, key: languageKey }),
  assesses: [],
};
