import { coalesceDatabases, repositoryFiles } from "../../index/coalesce-databases.ts";
import { unstatedKey } from "../../model/package.ts";
import type { Coalescer } from "../../plugins/coalescer.ts";
import type { FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { ownText } from "../linux/text.ts";
import { apkDependencies, apkDetector } from "./detector.ts";
import { apkEvidence } from "./evidence.ts";
import { apkFileLists, parseApkInstalled } from "./installed-db.ts";
import { alpineMatcher } from "./matcher.ts";
import { apkVersions } from "./version.ts";

/** Lists the files that packages of apk own, from the database of installed packages. */
const apkOwners: FileOwners = {
  name: "apk-owners",
  revision: 2,
  names: { endings: ["/installed"] },
  wants: apkDetector.wants,
  *owners(files) {
    for (const { path: listedIn, bytes } of distinctFiles(files)) {
      for (const { name, files: paths } of parseApkInstalled(bytes).packages) {
        yield { paths, owner: ownText(name), listedIn };
      }
    }
  },
};

const coalesceAll = coalesceDatabases({
  origins: repositoryFiles((path) => path === "etc/apk/repositories"),
  packagingOf: () => "apk",
});

/** Advisories name sources, so those of a package whose origin the database does not state may not be found. */
const coalesce: Coalescer = function* (layers, image) {
  for (const found of coalesceAll(layers, image)) {
    const { package: own, repositories } = found;
    yield own.source === undefined ? { ...found, repositories: [...repositories, unstatedSource] } : found;
  }
};

const unstatedSource = { name: "source", key: unstatedKey };

/** Packages of apk: Alpine, Wolfi, Chainguard and distributions built from them. */
export const apk: Ecosystem = {
  name: "apk",
  detectors: [apkDetector],
  fileOwners: [apkOwners],
  fileLists: [apkFileLists],
  evidence: apkEvidence,
  dependencies: apkDependencies,
  matchers: [alpineMatcher],
  purl: ["apk"],
  versions: apkVersions,
  coalesce,
};
