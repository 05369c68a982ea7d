import type { RegistryDb } from "../store/tables/all.ts";
import { findOutliving } from "./queries/tags.ts";
import { endLifetime } from "./tags.ts";

/**
 * Ends signatures, attestations and bills of materials (`sha256-<hex>.sig`) whose image has lost its last tag, which nobody was
 * there for if it expired. They end at the instant at which the image did, so that they can be restored exactly as long; what was
 * put after that instant stays. Belongs into a transaction that has locked the repository.
 * @returns the names of the tags that ended
 */
export async function expireReferrerTags(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly string[]> {
  const ended: string[] = [];
  for (;;) {
    const outliving = await findOutliving(db, { repositoryId, now });
    if (outliving.length === 0) return ended;
    for (const { name, ended_at } of outliving) {
      await endLifetime(db, { repositoryId, name, now: Number(ended_at) });
      ended.push(name);
    }
  }
}
