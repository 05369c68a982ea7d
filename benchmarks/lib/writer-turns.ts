import { subscribe } from "node:diagnostics_channel";
import { type EndedWriterTurn, writerTurns } from "../../packages/store/src/dialects/writer-queue.ts";

/** The use of an SQLite file by one kind of writer. */
export interface WriterUse {
  /** The tables that it writes, in order; preceded by `background:` if no client waits for it. */
  readonly kind: string;
  turns: number;
  heldMs: number;
  longestMs: number;
  waitedMs: number;
}

/** Records the writers in this process. @returns a function that returns the records since its last call */
export function watchWriters(): () => readonly WriterUse[] {
  const uses = new Map<string, WriterUse>();
  subscribe(writerTurns, (message) => {
    const { isBackground, waitedMs, heldMs, statements } = message as EndedWriterTurn;
    const kind = [...(isBackground ? ["background:"] : []), ...new Set(statements.flatMap(writtenTable))].join(" ");
    const use = uses.get(kind) ?? { kind, turns: 0, heldMs: 0, longestMs: 0, waitedMs: 0 };
    use.turns++;
    use.heldMs += heldMs;
    use.longestMs = Math.max(use.longestMs, heldMs);
    use.waitedMs += waitedMs;
    uses.set(kind, use);
  });
  return () => {
    const noted = [...uses.values()].sort((a, b) => b.heldMs - a.heldMs);
    uses.clear();
    return noted;
  };
}

const written = /^\s*(?:insert (?:or \w+ )?into|update|delete from) "?(\w+)/i;

function writtenTable(statement: string): readonly string[] {
  return written.exec(statement)?.slice(1) ?? [];
}

/** Prints the writers that held the file longest. */
export function printWriters(uses: readonly WriterUse[]): void {
  for (const { kind, turns, heldMs, longestMs, waitedMs } of uses.slice(0, 12)) {
    const held = `${(heldMs / turns).toFixed(1)} ms each (longest ${longestMs.toFixed(0)})`;
    console.log(
      `  ${String(turns).padStart(6)} turns held ${heldMs.toFixed(0)} ms, ${held}, waited ${(waitedMs / turns).toFixed(1)} ms: ${kind}`,
    );
  }
}
