import { ScanError } from "../../errors.ts";
import { languageKey, scopeKey } from "../../model/package.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readSbom } from "../../sbom/read-sbom.ts";
import type { Sbom, SbomPackage } from "../../sbom/sbom.ts";
import { gapMessage, incompleteCode } from "../../sbom/stated-gaps.ts";
import { unreadable } from "../language/proof.ts";

/** `.spdx-redis.spdx`, which Bitnami writes beside each of its components. It is JSON, although the ending is that of the tag-value form. */
const ofBitnami = /^opt\/bitnami\/(?:.*\/)?\.spdx-[^/]+\.spdx$/;
const specificName = /\.(?:(?:spdx|spdx3|cdx|cyclonedx|syft)\.json|(?:cdx|cyclonedx)\.xml)$/i;
/** Names that other kinds of documents have too: a text about a licence may end in `.spdx`. */
const genericName = /(?:(?:^|[./])s?bom\.(?:json|xml)|\.(?:spdx|cdx|sbom))$/i;
/** The endings of all of them. */
const endings = [".json", ".xml", ".spdx", ".cdx", ".sbom"];
/** Folders of dependencies, which may ship bills of materials about their own build. */
const dependencyFolder = /(?:^|\/)(?:node_modules|gems|site-packages|dist-packages)\//;
/**
 * The folder in which wheels list the packages that they bundle. Those of a distribution are libraries from the machine on which the wheel was built.
 * @see https://peps.python.org/pep-0770/
 */
const wheelFolder = /\.dist-info\/sboms\/[^/]+$/;

/**
 * Finds the packages in bills of materials inside an image: Bitnami's for each component, and those of applications. Packages of languages, of
 * Bitnami, and programs without a package manager are listed. Packages of the operating system are not, because its own database lists them,
 * but for those that wheels bundle, which are undecided; and what a document says is not for the run time is not in the image.
 * What a document says that it lacks is a problem of the image; but for what a wheel only depends on, which is installed beside it.
 */
export const sbomDetector: FileDetector = {
  name: "embedded-sbom",
  revision: 9,
  names: { endings },
  wants: ({ path }: FileEntry) =>
    endings.some((ending) => path.toLowerCase().endsWith(ending)) &&
    (specificName.test(path) || genericName.test(path)) &&
    (wheelFolder.test(path) || !dependencyFolder.test(path)),
  *detect(file: LayerFile): Iterable<Finding> {
    const sbom = findSbom(file);
    if (sbom === undefined) return;
    for (const found of sbom.packages) yield* findingsOf(file, found);
    const isOfOthers = sbom.gaps?.areNeeds === true && wheelFolder.test(file.path); // pip installs what a wheel depends on
    if (sbom.gaps && !isOfOthers)
      yield { kind: "problem", path: file.path, code: incompleteCode, message: gapMessage(sbom.gaps) };
    for (const { at, message } of sbom.problems) yield unreadable(file.path, message, at === "" ? undefined : at);
  },
};

/** The bill of materials in a file; undefined for another kind of document with a generic name. */
function findSbom(file: LayerFile): Sbom | undefined {
  try {
    return readSbom(file.bytes, file.path);
  } catch (error) {
    const isOtherDocument =
      error instanceof ScanError &&
      error.code === "malformed_sbom" &&
      genericName.test(file.path) &&
      !ofBitnami.test(file.path);
    if (isOtherDocument) return undefined;
    throw error;
  }
}

function* findingsOf({ path }: LayerFile, { purl, package: found, repositories }: SbomPackage): Iterable<Finding> {
  if (repositories.some(({ key }) => key === scopeKey)) return;
  const repository = repositories.find(({ key }) => key === languageKey);
  if (repository !== undefined) yield { kind: "package", packageDb: path, package: found, repository };
  else if (purl !== undefined && wheelFolder.test(path)) yield { kind: "package", packageDb: path, package: found };
}
