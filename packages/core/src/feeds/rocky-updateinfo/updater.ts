import { ScanError } from "../../errors.ts";
import type { Updater } from "../../plugins/updater.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { readPage } from "../shared/read-page.ts";
import { findRepositoryUpdates, type RepositoryUpdates } from "../updateinfo/repository.ts";
import type { UpdateNames } from "../updateinfo/update.ts";
import { updateinfoUpdater } from "../updateinfo/updater.ts";

/** The repositories of a release; CodeReady Builder is called PowerTools in Rocky Linux 8. */
const repositories = ["BaseOS", "AppStream", "CRB", "PowerTools", "extras"] as const;

/**
 * Imports Rocky Linux's security updates with their modules: from the repositories of all releases on the site's index page, a folder of
 * `updateinfo.xml` documents, or one such document. A build has the same version on all architectures.
 */
export const rockyUpdater: Updater = updateinfoUpdater({
  location: "https://dl.rockylinux.org/pub/rocky/",
  scope: { partBytes: { rocky: 0 }, sharedBytes: 10e6 },
  vendor: { updater: "rocky", ecosystemOf, listsOneArch: true },
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

function ecosystemOf({ release = "" }: UpdateNames): string | undefined {
  const version = /^Rocky Linux (\d+)/.exec(release)?.[1];
  return version === undefined ? undefined : `rocky:${version}`;
}
