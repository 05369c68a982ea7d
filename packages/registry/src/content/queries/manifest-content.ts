import { isDigest } from "@plimsoll/core/digest";
import { compileOnce, cooperativeYield, nextShortRead, type Parameter } from "@plimsoll/store";
import { type Selectable, sql } from "kysely";
import { notFound } from "../../errors.ts";
import type { ReadFrom } from "../../lists/list-pages.ts";
import { afterPrefix } from "../../store/expressions.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { ImageManifestTable, ManifestLabelTable, StoredContent } from "../../store/tables/content.ts";

/** Longer contents are not in the rows of their manifests, but in pieces of this length. */
const pieceBytes = 64 * 1024;

/** How many pieces one statement writes. */
const piecesPerStatement = 8;

/** A manifest as far as its content is concerned. */
interface WithContent {
  readonly id: string;
  readonly content: StoredContent;
}

/** The content column of a new manifest: {@link newPieces} has the rest. */
export function contentColumn(content: string): string {
  return Buffer.byteLength(content) > pieceBytes ? "" : content;
}

/** The statements that insert the pieces of a new manifest; none for a short content. */
export function newPieces(db: RegistryDb, manifestId: string, content: string) {
  if (contentColumn(content) === content) return [];
  const rows = piecesOf(manifestId, Buffer.from(content));
  const count = Math.ceil(rows.length / piecesPerStatement);
  const from = (index: number) => index * piecesPerStatement;
  return Array.from({ length: count }, (_, index) =>
    db.insertInto("manifest_piece").values(rows.slice(from(index), from(index + 1))),
  );
}

/** Cuts a text between its characters. */
function piecesOf(manifestId: string, bytes: Buffer): readonly NewRow<"manifest_piece">[] {
  const rows: NewRow<"manifest_piece">[] = [];
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = Math.min(from + pieceBytes, bytes.length);
    while (isContinued(bytes[to])) to--;
    rows.push({ manifest_id: manifestId, starts_at: from, piece: bytes.toString("utf8", from, to) });
  }
  return rows;
}

/** Whether a byte of UTF-8 continues a character. */
function isContinued(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

/** The content of a manifest. @throws RegistryError `not_found` if it was collected meanwhile */
export async function contentOf(db: RegistryDb, manifest: WithContent): Promise<string> {
  const short = shortContent(manifest.content);
  if (short !== undefined) return short;
  const pieces: string[] = [];
  const giveWay = cooperativeYield();
  for (let at = 0; ; ) {
    const piece = await findPiece(db, manifest.id, at);
    if (piece === undefined) break;
    pieces.push(piece);
    at += Buffer.byteLength(piece);
    await giveWay();
  }
  if (pieces.length > 0) return pieces.join("");
  throw notFound("The manifest was deleted meanwhile: list the tags to see what there is");
}

/** The content of a short manifest; undefined for a long one. */
export function shortContent(content: StoredContent): string | undefined {
  return (content as unknown as string) || undefined;
}

/** Bytes that can be read again from a position. */
interface ResumableContent {
  from(position: number): AsyncIterable<Uint8Array>;
}

/** The content of a long manifest as a body, which has one piece in memory at a time. Its chunks share their memory. */
export function longContent(db: RegistryDb, { id, lengthBytes, gone }: LongContent): ResumableContent {
  return {
    async *from(position) {
      // one buffer for all pieces: thousands of them are read before V8 notices how much memory they take outside its heap
      let bytes = Buffer.alloc(0);
      for (let at = position; at < lengthBytes; ) {
        await nextShortRead();
        const piece = await findPiece(db, id, at);
        if (piece === undefined) throw gone();
        const length = Buffer.byteLength(piece); // a migration from earlier releases has made longer pieces
        if (length > bytes.length)
          bytes = Buffer.allocUnsafeSlow(Math.max(length, Math.min(pieceBytes, lengthBytes - at)));
        bytes.write(piece);
        yield bytes.subarray(0, length);
        at += length;
      }
    },
  };
}

/** A long manifest to send. */
interface LongContent {
  readonly id: string;
  readonly lengthBytes: number;
  /** The error if it was collected meanwhile. */
  readonly gone: () => Error;
}

/** Not compiled once: then it would push shorter rows out of the cache. */
async function findPiece(db: RegistryDb, manifestId: string, startsAt: number): Promise<string | undefined> {
  const ofManifest = db.selectFrom("manifest_piece").select("piece").where("manifest_id", "=", manifestId);
  return (await ofManifest.where("starts_at", "=", startsAt).executeTakeFirst())?.piece;
}

/** An image manifest as it is stored. */
export type ImageManifestRow = Selectable<ImageManifestTable>;

/** The key of an image manifest. */
export interface ManifestIn {
  readonly repositoryId: string;
  readonly digest: string;
}

/** An image manifest of a repository, even if it was deleted and is not collected yet. */
export async function findStoredManifest(
  db: RegistryDb,
  { repositoryId, digest }: ManifestIn,
): Promise<ImageManifestRow | undefined> {
  if (!isDigest(digest)) return undefined;
  const [manifest] = await findStored(db, { repositoryId, digest });
  return manifest;
}

const findStored = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; digest: string }>) =>
  db
    .selectFrom("image_manifest")
    .selectAll()
    .where("repository_id", "=", parameter("repositoryId"))
    .where("digest", "=", parameter("digest")),
);

/** The manifest of an alive tag. */
export async function findTaggedManifest(
  db: RegistryDb,
  tag: { readonly repositoryId: string; readonly name: string; readonly now: number },
): Promise<ImageManifestRow | undefined> {
  const [manifest] = await findTagged(db, tag);
  return manifest;
}

const findTagged = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; name: string; now: number }>) =>
    db
      .selectFrom("tag")
      .innerJoin("image_manifest", "image_manifest.id", "tag.manifest_id")
      .selectAll("image_manifest")
      .where("tag.repository_id", "=", parameter("repositoryId"))
      .where("tag.name", "=", parameter("name"))
      .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", parameter("now"))]))
      .orderBy(sql`+tag.start_at`, "desc") // without `+`, SQLite would read all tags of the repository in this order
      .limit(1),
);

/**
 * An image manifest that clients of a repository can see. It was not deleted. If a tag of it has ended, another one is alive, or an index
 * lists it.
 */
export async function findShownManifest(
  db: RegistryDb,
  manifest: ManifestIn & { readonly now: number },
): Promise<ImageManifestRow | undefined> {
  const row = await findStoredManifest(db, manifest);
  if (row === undefined || row.deleted_at !== null) return undefined;
  const ended = await db
    .selectFrom("tag")
    .select("end_at")
    .where("manifest_id", "=", row.id)
    .where("end_at", "<=", manifest.now)
    .limit(1)
    .executeTakeFirst();
  if (ended === undefined) return row;
  const alive = await db
    .selectFrom("tag")
    .select("id")
    .where("manifest_id", "=", row.id)
    .where((where) => where.or([where("end_at", "is", null), where("end_at", ">", manifest.now)]))
    .limit(1)
    .executeTakeFirst();
  if (alive !== undefined) return row;
  const parent = db.selectFrom("manifest_child").select("manifest_id").where("child_id", "=", row.id).limit(1);
  return (await parent.executeTakeFirst()) === undefined ? undefined : row;
}

/** The image manifest that a repository shows under a digest. @throws RegistryError `not_found` */
export async function getShownManifest(
  db: RegistryDb,
  manifest: ManifestIn & { readonly now: number },
): Promise<ImageManifestRow> {
  const row = await findShownManifest(db, manifest);
  if (row === undefined)
    throw notFound("The repository has no manifest with that digest: list its tags to see the digests");
  return row;
}

/** The digest of a manifest; null if the manifest is gone. */
export async function digestOf(db: RegistryDb, manifestId: string): Promise<string | null> {
  const manifest = db.selectFrom("image_manifest").select("digest").where("id", "=", manifestId);
  return (await manifest.executeTakeFirst())?.digest ?? null;
}

/** A label as it is stored. */
export type LabelRow = Selectable<ManifestLabelTable>;

/** The sort key of a label among those of its manifest. */
export type LabelKey = readonly [key: string, createdAt: number, id: string];

/** A page of the labels of a manifest whose keys begin with a prefix, ordered by key. */
export async function listLabels(
  db: RegistryDb,
  manifestId: string,
  { prefix = "", after, limit }: ReadFrom<LabelKey> & { readonly prefix?: string | undefined },
): Promise<readonly LabelRow[]> {
  return db
    .selectFrom("manifest_label")
    .selectAll()
    .where("manifest_id", "=", manifestId)
    .where("key", "<", afterPrefix(prefix))
    .where(({ eb, refTuple, tuple }) => eb(refTuple("key", "created_at", "id"), ">", tuple(...after)))
    .orderBy("key")
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Stores a label. */
export async function insertLabel(db: RegistryDb, label: NewRow<"manifest_label">): Promise<void> {
  await db.insertInto("manifest_label").values(label).execute();
}

/** The label of a manifest with that id. */
export async function findLabel(db: RegistryDb, manifestId: string, id: string): Promise<LabelRow | undefined> {
  const labels = db.selectFrom("manifest_label").selectAll().where("manifest_id", "=", manifestId);
  return labels.where("id", "=", id).executeTakeFirst();
}

/** Deletes a label. */
export async function removeLabel(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("manifest_label").where("id", "=", id).execute();
}

/** Adds to the bytes of a manifest that count for its namespace. @param byBytes negative for a label that was removed */
export async function resizeManifest(db: RegistryDb, id: string, byBytes: number): Promise<void> {
  await db
    .updateTable("image_manifest")
    .set(({ eb }) => ({ metadata_bytes: eb("metadata_bytes", "+", byBytes) }))
    .where("id", "=", id)
    .execute();
}
