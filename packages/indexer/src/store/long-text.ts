import { randomUUID } from "node:crypto";
import { cooperativeYield } from "@plimsoll/store";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { TextPieces } from "../values/text-pieces.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** A text in two columns: its first piece, and the name and count of the other pieces, which are rows of `indexer_piece`. */
export interface LongText {
  readonly text: string;
  /** `NAME.COUNT`; null if there are no other pieces. */
  readonly more: string | null;
}

/** The columns of a text. @param name the name of its pieces; random by default */
export function longTextOf([text = "", ...others]: TextPieces, name: string = randomUUID()): LongText {
  return { text, more: others.length === 0 ? null : `${name}.${others.length}` };
}

/** The row to which pieces belong, as SQL: `TABLE where …`. */
export type Holder = RawBuilder<unknown>;

/** Pieces to store, and the row that they belong to. */
interface NewPieces extends Pick<LongText, "more"> {
  readonly pieces: TextPieces;
  readonly holder: Holder;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores all pieces but the first, each in its own transaction, so that other writers do not wait long. Returns false as soon as the holder has
 * been deleted; the pieces that were already written are deleted with it.
 */
export async function putPieces(
  { relaxed, kind }: IndexerStore,
  { pieces, more, holder, signal }: NewPieces,
): Promise<boolean> {
  const name = nameOf(more);
  if (name === undefined) return true;
  const held = kind === "sqlite" ? sql`select 1 from ${holder}` : sql`select 1 from ${holder} for share`;
  for (const [number, piece] of pieces.slice(1).entries()) {
    signal?.throwIfAborted();
    const { numAffectedRows } = await sql`
      insert into indexer_piece (name, number, piece)
      select cast(${name} as text), cast(${number} as integer), cast(${piece} as text) from (${held}) as holder`.execute(
      relaxed,
    );
    if (numAffectedRows !== 1n) return false;
  }
  return true;
}

/** The pieces of a text; undefined if some are missing, because the text was replaced meanwhile or is not completely written. */
export async function findPieces(db: Kysely<IndexerTables>, { text, more }: LongText): Promise<TextPieces | undefined> {
  const pieces = [text];
  if (more === null) return pieces;
  const yieldToOthers = cooperativeYield();
  const { name, count } = parseMore(more);
  for (let number = 0; number < count; number++) {
    const row = await db
      .selectFrom("indexer_piece")
      .select("piece")
      .where("name", "=", name)
      .where("number", "=", number)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    pieces.push(row.piece);
    await yieldToOthers();
  }
  return pieces;
}

/** The number of pieces that one statement deletes in a few milliseconds. */
const piecesPerDelete = 8;

/** Deletes all pieces of a name, the last ones first, in short transactions. */
export async function deletePiecesOf({ db, relaxed }: IndexerStore, name: string): Promise<void> {
  const ofName = db.selectFrom("indexer_piece").where("name", "=", name);
  for (;;) {
    const { last } = await ofName.select(({ fn }) => fn.max("number").as("last")).executeTakeFirstOrThrow();
    if (last === null) return;
    const some = relaxed.deleteFrom("indexer_piece").where("name", "=", name);
    await some.where("number", ">", last - piecesPerDelete).execute();
  }
}

/** The name of the pieces but the first. */
export function nameOf(more: string | null): string | undefined {
  return more === null ? undefined : parseMore(more).name;
}

function parseMore(more: string): { readonly name: string; readonly count: number } {
  const [name = "", count] = more.split(".");
  return { name, count: Number(count) };
}
