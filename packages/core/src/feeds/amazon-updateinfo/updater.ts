import { ScanError } from "../../errors.ts";
import type { FeedParts } from "../shared/feed-parts.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { findRepositoryUpdates, type RepositoryUpdates } from "../updateinfo/repository.ts";
import type { UpdateNames } from "../updateinfo/update.ts";
import { updateinfoUpdater } from "../updateinfo/updater.ts";

/** Where the site says which folder a repository is in now; one architecture's index names the packages of all. */
const mirrorLists = ["2/core/latest/x86_64/mirror.list", "al2023/core/mirrors/latest/x86_64/mirror.list"] as const;

/** A list has one line. */
const maxListBytes = 64 * 1024;

/**
 * Brings Amazon Linux's advisories in: the repositories of Amazon Linux 2 and 2023 that the site's mirror lists name, a folder of
 * `updateinfo.xml` documents, or one such document, also of Amazon Linux 1.
 */
export const amazonUpdater = updateinfoUpdater({
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

/** A list holds whole addresses. Which host they name does not count: the same folders are wherever the list is. */
function folderOf(list: string, location: string): string {
  const folder = /^https?:\/\/[^/\s]+\/(\S*[^/\s])\/?\s*$/m.exec(list)?.[1];
  if (folder === undefined) throw malformedFeed(location, "expected a list of mirrors, found no address");
  return folder.replaceAll("$basearch", "x86_64");
}

/** `ALAS2023-2023-001`, `ALAS2-2018-939`, `ALAS-2014-320`; updates of extra repositories have a word behind the number. */
function ecosystemOf({ id }: UpdateNames): string | undefined {
  const found = /^ALAS(2\d{3}|2)?[A-Z.\d]*-/.exec(id);
  return found === null ? undefined : `amzn:${found[1] ?? "1"}`;
}
