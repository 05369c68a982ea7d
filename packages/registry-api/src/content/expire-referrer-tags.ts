import { sql } from "kysely";
import type { RegistryDb } from "../store/tables/all.ts";
import { endLifetime, siblingSuffixes } from "./tags.ts";

/** A tag that has outlived its image. */
export interface Outliving {
  readonly name: string;
  /** When the image lost its last tag. */
  readonly ended_at: number;
}

/**
 * Ends signatures, attestations and bills of materials (`sha256-<hex>.sig`) whose image has lost its last tag, which nobody was
 * there for if it expired. They end at the instant at which the image did, so that they can be restored exactly as long; what was
 * put after that instant stays. Belongs into a transaction that has locked the repository.
 * @returns the names of the tags that ended
 */
export async function endSiblingsOfExpired(
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

/** The signatures that {@link endSiblingsOfExpired} would end first. No tag is long enough for a digest other than of sha256. */
export async function findOutliving(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly Outliving[]> {
  const names = siblingSuffixes.map((suffix) => sql`'sha256-' || substr(sibling.name, 8, 64) || '.' || ${suffix}`);
  const { rows } = await sql<Outliving>`
    select sibling.name, max(lifetime.end_at) as ended_at
    from tag as sibling
    join image_manifest as image on image.repository_id = sibling.repository_id
      and image.digest = 'sha256:' || substr(sibling.name, 8, 64)
    join tag as lifetime on lifetime.manifest_id = image.id
    where sibling.repository_id = ${repositoryId}
      and sibling.name >= 'sha256-' and sibling.name < 'sha256.' and sibling.name in (${sql.join(names)})
      and (sibling.end_at is null or sibling.end_at > ${now})
    group by sibling.id, sibling.name, sibling.start_at
    having count(*) = count(case when lifetime.end_at <= ${now} then 1 end) and max(lifetime.end_at) >= sibling.start_at
    order by sibling.name`.execute(db);
  return rows;
}
