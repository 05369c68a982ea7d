import { coalesceFiles } from "../../index/coalesce-files.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { sbomDetector } from "./detector.ts";

/** Bills of materials inside an image. Their packages belong to other ecosystems, whose matchers judge them. */
export const sbom: Ecosystem = {
  name: "sbom",
  detectors: [],
  fileDetectors: [sbomDetector],
  matchers: [],
  purl: [],
  coalesce: coalesceFiles(),
  assesses: ["bitnami"],
};
