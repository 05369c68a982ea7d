import { findDistribution } from "../../distributions/shared/find.ts";
import { coalesceDatabases, type DatabaseCoalescing } from "../../index/coalesce-databases.ts";
import { type PackageRepository, thirdPartyKey, unstatedKey } from "../../model/package.ts";
import type { Coalescer } from "../../plugins/coalescer.ts";
import type { FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { apkTagKey } from "../linux/detector.ts";
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

type Repository = Omit<PackageRepository, "id">;

/**
 * The repositories of packages of apk: those in `etc/apk/repositories`, since the database does not say from which of them a package comes. Only one from a
 * repository with a tag has that tag. The distribution's advisories do not know the packages of some repositories (`edge/testing`, one of another host): a package with the
 * tag of one is that of a third party, and if one has no tag, any package may come from it.
 */
const origins: DatabaseCoalescing["origins"] = (_, image) => {
  const named = image.repositories.flatMap(({ path, repository }) =>
    path === "etc/apk/repositories" ? [repository] : [],
  );
  const plain = named.filter(({ key }) => key !== apkTagKey);
  const unknownTo = (did: string | undefined) => {
    const own = findDistribution(did)?.repositories;
    return own === undefined ? [] : named.filter(({ uri, name = "" }) => !own.test(uri ?? `/${name}`));
  };
  return ({ finding, introducedAt }) => {
    const unknown = unknownTo(image.distributionAt(introducedAt)?.did);
    const { repository } = finding;
    if (repository?.key !== apkTagKey) return unknown.some(isPlain) ? [...plain, unstatedMaker] : plain;
    const ofTag = named.filter(({ key, name }) => key === apkTagKey && name === repository.name);
    const [from] = unknown.filter((each) => ofTag.includes(each));
    if (from === undefined) return plain;
    return ofTag.every((each) => unknown.includes(each))
      ? [{ name: from.uri, key: thirdPartyKey }]
      : [...plain, unstatedMaker];
  };
};

function isPlain({ key }: Repository): boolean {
  return key !== apkTagKey;
}

const unstatedMaker: Repository = { name: "maker", key: unstatedKey };

const coalesceAll = coalesceDatabases({
  origins,
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
