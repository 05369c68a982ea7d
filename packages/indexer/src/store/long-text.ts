import { randomUUID } from "node:crypto";
import { fairTurns } from "@plimsoll/store";
import type { Kysely } from "kysely";
import type { TextPieces } from "../text-pieces.ts";
import type { IndexerTables } from "./tables.ts";

/** Text as two columns: its first piece, and the name and number of the other ones, which are rows of `indexer_piece`. */
export interface LongText {
  readonly text: string;
  /** `NAME.COUNT`; null where there are no others. */
  readonly more: string | null;
}

/** Stores all pieces but the first, each in a statement of its own: no statement is long. */
export async function putPieces(db: Kysely<IndexerTables>, [text = "", ...others]: TextPieces): Promise<LongText> {
  if (others.length === 0) return { text, more: null };
  const name = randomUUID();
  for (const [number, piece] of others.entries()) {
    await db.insertInto("indexer_piece").values({ name, number, piece }).execute();
  }
  return { text, more: `${name}.${others.length}` };
}

/** The pieces of a text; undefined when some are gone, as when the text was replaced meanwhile. */
export async function findPieces(db: Kysely<IndexerTables>, { text, more }: LongText): Promise<TextPieces | undefined> {
  const pieces = [text];
  if (more === null) return pieces;
  const giveTurn = fairTurns();
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
    await giveTurn();
  }
  return pieces;
}

/** Deletes all pieces but the first of texts that are no more. */
export async function deletePieces(db: Kysely<IndexerTables>, texts: Iterable<Pick<LongText, "more">>): Promise<void> {
  for (const { more } of texts) {
    if (more !== null) await db.deleteFrom("indexer_piece").where("name", "=", parseMore(more).name).execute();
  }
}

function parseMore(more: string): { readonly name: string; readonly count: number } {
  const [name = "", count] = more.split(".");
  return { name, count: Number(count) };
}
