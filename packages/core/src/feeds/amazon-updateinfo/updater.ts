import { ScanError } from "../../errors.ts";
import type { Updater } from "../../plugins/updater.ts";
import type { FeedParts } from "../shared/feed-parts.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { findRepositoryUpdates, type RepositoryUpdates } from "../updateinfo/repository.ts";
import type { UpdateNames } from "../updateinfo/update.ts";
import { updateinfoUpdater } from "../updateinfo/updater.ts";

/** Documents that name the current folder of a repository. The index of one architecture lists the packages of all. */
const mirrorLists = ["2/core/latest/x86_64/mirror.list", "al2023/core/mirrors/latest/x86_64/mirror.list"] as const;

/** The maximal size of a list, which has one line. */
const maxListBytes = 64 * 1024;

/**
 * Imports Amazon Linux's advisories: from the repositories of Amazon Linux 2 and 2023 in the site's mirror lists, a folder of
 * `updateinfo.xml` documents, or one such document. Documents may also be of Amazon Linux 1.
 */
export const amazonUpdater: Updater = updateinfoUpdater({
  location: "https://cdn.amazonlinux.com/",
  scope: { partBytes: { amzn: 0 }, sharedBytes: 10e6 },
  vendor: { updater: "amazon", ecosystemOf, listsOneArch: false },
  findRepositories,
});

async function findRepositories(parts: FeedParts): Promise<readonly RepositoryUpdates[]> {
  const found: RepositoryUpdates[] = [];
  for (const name of mirrorLists) {
    const list = await parts.find(name);
    if (list?.feed.kind !== "document") continue;
    const text = new TextDecoder().decode(await list.feed.readAt(0, maxListBytes));
    const updates = await findRepositoryUpdates(parts, folderOf(text, list.feed.location));
    if (updates === undefined)
      throw malformedFeed(list.feed.location, "expected a repository with updates, found none");
    found.push(updates);
  }
  if (found.length === 0) throw new ScanError("not_found", "expected mirror lists of Amazon Linux, found none");
  return found;
}

/** The folder in an address of the list. The host is ignored, since the folder is on the site that has the list. */
function folderOf(list: string, location: string): string {
  const folder = /^https?:\/\/[^/\s]+\/(\S*[^/\s])\/?\s*$/m.exec(list)?.[1];
  if (folder === undefined) throw malformedFeed(location, "expected a list of mirrors, found no address");
  return folder.replaceAll("$basearch", "x86_64");
}

/** `ALAS2023-2023-001`, `ALAS2-2018-939`, `ALAS-2014-320`; updates of extra repositories have a word after the number. */
function ecosystemOf({ id }: UpdateNames): string | undefined {
  const found = /^ALAS(2\d{3}|2)?[A-Z.\d]*-/.exec(id);
  return found === null ? undefined : `amzn:${found[1] ?? "1"}`;
}
