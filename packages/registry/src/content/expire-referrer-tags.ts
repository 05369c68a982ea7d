import type { RegistryDb } from "../store/tables/all.ts";
import { findOutlivingTags } from "./queries/tags.ts";
import { endLifetime } from "./tags.ts";

/**
 * Ends the tags of signatures, attestations and bills of materials (`sha256-<hex>.sig`) whose image has lost its last tag. This may
 * have happened without a request: tags expire. They end at the same instant as the image's last tag, so that they can be restored
 * for exactly as long. Tags that were put after that instant stay. Must run in a transaction that has locked the repository.
 * @returns the names of the tags that ended
 */
export async function expireReferrerTags(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly string[]> {
  const ended: string[] = [];
  for (;;) {
    const outliving = await findOutlivingTags(db, { repositoryId, now });
    if (outliving.length === 0) return ended;
    for (const { name, ended_at } of outliving) {
      await endLifetime(db, { repositoryId, name, now: Number(ended_at) });
      ended.push(name);
    }
  }
}
