import { ScanError } from "../../errors.ts";
import type { Updater } from "../../plugins/updater.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { readPage } from "../shared/read-page.ts";
import { findRepositoryUpdates, type RepositoryUpdates } from "./repository.ts";
import type { UpdateNames } from "./update.ts";
import { updateinfoUpdater } from "./updater.ts";

/** The repositories of a release, as far as it has them; CodeReady Builder is called PowerTools in Rocky Linux 8. */
const repositories = [
  ...["BaseOS", "AppStream", "CRB", "PowerTools", "extras"],
  ...["HighAvailability", "NFV", "ResilientStorage", "RT", "SAP", "SAPHANA"],
];

/**
 * Imports Rocky Linux's security updates with their modules: from the repositories of all releases on the site's index page, a folder of
 * `updateinfo.xml` documents, or one such document. A build has the same version on all architectures.
 */
export const rockyUpdater: Updater = updateinfoUpdater({
  location: "https://dl.rockylinux.org/pub/rocky/",
  scope: { partBytes: { rocky: 0 }, sharedBytes: 10e6 },
  vendor: { updater: "rocky", ecosystemOf: rockyEcosystem, listsOneArch: true },
  findRepositories,
});

async function findRepositories(parts: FeedParts, whole: FeedPart | undefined): Promise<readonly RepositoryUpdates[]> {
  const page = whole === undefined ? undefined : await readPage(whole);
  const releases = [...(page ?? "").matchAll(/href="(?:\.\/)?(\d{1,3})\/"/g)].map(([, release]) => release);
  const found: RepositoryUpdates[] = [];
  for (const release of new Set(releases)) {
    for (const repository of repositories) {
      const updates = await findRepositoryUpdates(parts, `${release}/${repository}/x86_64/os`);
      if (updates !== undefined) found.push(updates);
    }
  }
  if (found.length === 0) throw new ScanError("not_found", "expected Rocky Linux releases with updates, found none");
  return found;
}

function rockyEcosystem({ release = "" }: UpdateNames): string | undefined {
  const version = /^Rocky Linux (\d+)/.exec(release)?.[1];
  return version === undefined ? undefined : `rocky:${version}`;
}

/**
 * Imports Bottlerocket's advisories: its `updateinfo.xml`, or a folder with such documents. Those until 2024 name the first fixed version of
 * Bottlerocket with the release 0, which stands for every build of it.
 * @see https://bottlerocket.dev/en/os/latest/#/concepts/variants/#security-advisories
 */
export const bottlerocketUpdater: Updater = updateinfoUpdater({
  location: "https://advisories.bottlerocket.aws/updateinfo.xml.gz",
  scope: { partBytes: { bottlerocket: 0 }, sharedBytes: 1e6 },
  vendor: { updater: "bottlerocket", ecosystemOf: bottlerocketEcosystem, listsOneArch: false, anyRelease: "0" },
  findRepositories: async () => [],
});

/** `BRSA-th6e2wrokkoq`, `GHSA-868r-x68r-5c5p`. */
function bottlerocketEcosystem({ id }: UpdateNames): string | undefined {
  return /^(?:BRSA|GHSA)-/.test(id) ? "bottlerocket" : undefined;
}
