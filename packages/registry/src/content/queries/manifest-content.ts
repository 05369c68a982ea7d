import { cooperativeYield, nextShortRead } from "@plimsoll/store";
import { notFound } from "../../errors.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { StoredContent } from "../../store/tables/content.ts";

/** Longer contents are not in the rows of their manifests, but in pieces of this length. */
const pieceBytes = 64 * 1024;

/** How many pieces one statement writes. */
const piecesPerStatement = 8;

/** A manifest as far as its content is concerned. */
export interface WithContent {
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
export interface LongContent {
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
