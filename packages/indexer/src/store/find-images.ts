import { sql } from "kysely";
import { decodeRecord } from "../values/index-record.ts";
import { wantedFacts } from "../values/indexed-records.ts";
import type { IndexerStore } from "./tables.ts";

/** Which images are wanted. */
export interface ImagesQuestion {
  readonly kind: "package" | "license" | "supplier";
  /** In any case. */
  readonly value: string;
  /** Only packages with this version; absent: any. */
  readonly version?: string | undefined;
  /** Only images whose digests are greater, compared as text; the empty text starts from the first. */
  readonly after: string;
  readonly limit: number;
}

/** The most packages of an image that are named: thousands may have the same licence. */
const maxPackages = 100;

/** An image, and packages because of which it was found, at most a hundred. */
export interface FoundImage {
  readonly digest: string;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
}

/** Some images of the service. There may be more if `next` is given: it is the `after` of the question for them. */
export interface FoundImages {
  readonly images: readonly FoundImage[];
  readonly next?: string;
}

/** The images of the service that have a package, a licence or a supplier, in the order of their digests. */
export async function findImages(store: IndexerStore, question: ImagesQuestion): Promise<FoundImages> {
  const { kind, version, after, limit } = question;
  const wanted = sql<boolean>`(f.kind, f.value) in (values ${sql.join(
    wantedFacts(kind, question.value).map((fact) => sql`(${sql.join(fact)})`),
  )})`;
  const ofFact = store.db
    .selectFrom("indexer_record_fact as f")
    .innerJoin("indexer_manifest_record as mr", "mr.record_id", "f.record_id")
    .innerJoin("indexer_manifest as m", "m.id", "mr.manifest_id")
    .where(wanted)
    .where("m.scanned", "=", 0);
  const page = await ofFact
    .select("m.manifest_digest")
    .distinct()
    .where("m.manifest_digest", ">", after)
    .orderBy("m.manifest_digest")
    .limit(limit)
    .execute();
  const digests = page.map(({ manifest_digest }) => manifest_digest);
  const last = digests.at(-1);
  if (last === undefined) return { images: [] };
  const { rows } = await sql<{ readonly digest: string; readonly record: string }>`
    select digest, record from (
      select m.manifest_digest as digest, r.record, row_number() over (partition by m.id order by r.id) as place
      from indexer_record_fact f
        join indexer_record r on r.id = f.record_id
        join indexer_manifest_record mr on mr.record_id = f.record_id
        join indexer_manifest m on m.id = mr.manifest_id
      where ${wanted} and m.manifest_digest in (${sql.join(digests)})) as found
    where place <= ${maxPackages} order by place`.execute(store.db);
  const byImage = Map.groupBy(rows, ({ digest }) => digest);
  const images = digests.map((digest) => {
    const packages = (byImage.get(digest) ?? []).map(({ record }) => decodeRecord(record).package);
    const found = packages.filter((each) => version === undefined || isVersion(each, version));
    const distinct = new Map(found.map((each) => [`${each.name} ${each.version}`, each]));
    return { digest, packages: Array.from(distinct.values(), (each) => ({ name: each.name, version: each.version })) };
  });
  const found = images.filter(({ packages }) => packages.length > 0);
  return { images: found, next: digests.length === limit ? last : undefined };
}

/** Whether a package has a version, as it is written or without the epoch that many tools leave out. */
function isVersion({ version }: { readonly version: string }, wanted: string): boolean {
  return version === wanted || version.replace(/^\d{1,9}:/, "") === wanted.replace(/^0:/, "");
}
