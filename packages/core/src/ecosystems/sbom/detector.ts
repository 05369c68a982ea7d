import { ScanError } from "../../errors.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readSbom } from "../../sbom/read-sbom.ts";
import type { Sbom, SbomPackage } from "../../sbom/sbom.ts";
import { unreadable } from "../language/proof.ts";

/** `.spdx-redis.spdx`, which Bitnami puts beside each of its components: JSON in spite of its name. */
const ofBitnami = /^opt\/bitnami\/(?:.*\/)?\.spdx-[^/]+\.spdx$/;
const named = /\.(?:spdx|cdx|syft)\.json$/;
/** Names that other documents have too. */
const plainly = /(?:^|\/)s?bom\.json$/;
/** Packages ship bills of materials of how they themselves were made; wheels say in `sboms` what they bundle. */
const ofDependency = /(?:^|\/)(?:node_modules|gems|site-packages|dist-packages)\//;
const ofWheel = /\.dist-info\/sboms\/[^/]+$/;

/**
 * Finds the packages that bills of materials inside an image list: Bitnami's beside each component, and those that the builder of an
 * application left with it. Packages of languages and of Bitnami are taken, and programs without a package manager: those of the operating system its own database knows.
 */
export const sbomDetector: FileDetector = {
  name: "embedded-sbom",
  revision: 1,
  wants: ({ path }: FileEntry) =>
    (path.endsWith(".spdx") && ofBitnami.test(path)) ||
    (path.endsWith(".json") &&
      (named.test(path) || plainly.test(path)) &&
      (ofWheel.test(path) || !ofDependency.test(path))),
  *detect(file: LayerFile): Iterable<Finding> {
    const sbom = sbomOf(file);
    if (sbom === undefined) return;
    for (const found of sbom.packages) yield* findingsOf(file, found);
    for (const { at, message } of sbom.problems) yield unreadable(file.path, message, at === "" ? undefined : at);
  },
};

/** A document of a name that tells nothing, and that is no bill of materials, is none of ours. */
function sbomOf(file: LayerFile): Sbom | undefined {
  try {
    return readSbom(file.bytes, file.path);
  } catch (error) {
    const isOther = error instanceof ScanError && error.code === "malformed_sbom" && plainly.test(file.path);
    if (isOther) return undefined;
    throw error;
  }
}

function* findingsOf(
  { path }: LayerFile,
  { package: found, repositories: [repository] }: SbomPackage,
): Iterable<Finding> {
  if (repository === undefined) return;
  yield { kind: "package", packageDb: path, package: found, repository };
}
