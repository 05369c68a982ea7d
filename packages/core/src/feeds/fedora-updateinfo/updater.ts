import { ScanError } from "../../errors.ts";
import type { Updater } from "../../plugins/updater.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { readPage } from "../shared/read-page.ts";
import { findRepositoryUpdates, type RepositoryUpdates } from "../updateinfo/repository.ts";
import type { UpdateNames, UpdateVendor } from "../updateinfo/update.ts";
import { updateinfoUpdater } from "../updateinfo/updater.ts";
import { bodhiItems } from "./bodhi.ts";

const vendor: UpdateVendor = { updater: "fedora", ecosystemOf, listsOneArch: true };

/**
 * Imports Fedora's security updates: of the releases on the site's index page, from a folder of `updateinfo.xml` documents, or from one
 * such document. A file or folder may also contain pages of Bodhi, which name source packages. A build has the same version on all
 * architectures.
 */
export const fedoraUpdater: Updater = updateinfoUpdater({
  location: "https://dl.fedoraproject.org/pub/fedora/linux/updates/",
  scope: { partBytes: { fedora: 0 }, sharedBytes: 15e6 },
  vendor,
  otherForm: {
    wants: (name) => !name.endsWith(".xml"),
    isForm: (head) => head.trimStart().startsWith("{"),
    items: (files) => bodhiItems(files, vendor),
  },
  findRepositories,
});

/** A new release may have no updates yet. */
async function findRepositories(parts: FeedParts, whole: FeedPart | undefined): Promise<readonly RepositoryUpdates[]> {
  const page = whole === undefined ? undefined : await readPage(whole);
  const releases = [...(page ?? "").matchAll(/href="(?:\.\/)?(\d{1,3})\/"/g)].map(([, release]) => release);
  const found: RepositoryUpdates[] = [];
  for (const release of new Set(releases)) {
    const updates = await findRepositoryUpdates(parts, `${release}/Everything/x86_64`);
    if (updates !== undefined) found.push(updates);
  }
  if (found.length === 0) throw new ScanError("not_found", "expected Fedora releases with updates, found none");
  return found;
}

function ecosystemOf({ release = "" }: UpdateNames): string | undefined {
  const version = /^Fedora (\d+)$/.exec(release)?.[1];
  return version === undefined ? undefined : `fedora:${version}`;
}
