import { safeText } from "@plimsoll/core/internal/safe-text";
import type { CallContext } from "../context.ts";
import { RegistryError } from "../errors.ts";
import { type BlobStore, isLostBlob } from "../ports/blob-store.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { readArchivedEntries } from "./archive-logs.ts";
import { type BuildLogArchiveRow, findLogArchive } from "./queries/log-archives.ts";
import { countLogEntries, insertLogEntries, readLogEntries } from "./queries.ts";

/** An entry of a build's log. */
export interface BuildLogEntry {
  readonly message: string;
  /** Absent for the output of a program. */
  readonly type?: "phase" | "error";
}

/** How many lines of output of a build are stored. Phases and errors are always stored. */
export const maxLogLines = 20_000;

/** How many characters of output an attempt at a build stores. */
export const maxLogCharacters = 8 * 1024 ** 2;

/**
 * Output of a program for a log that people read in terminals: without colours, and with other control characters escaped, such as those
 * in names of files. Tabs stay.
 */
export function readable(output: string): string {
  return output.replace(colours, "").replace(/[^\t\n]+/g, safeText);
}

/** @see https://man7.org/linux/man-pages/man4/console_codes.4.html (SGR) */
const colours = /\u001b\[[0-9;]*m/g;

/** Writes the log of a build, entry by entry, so that it can be read while the build runs. */
export class BuildLogWriter {
  readonly #db: RegistryDb;
  readonly #buildId: string;
  readonly #clock: Clock;
  #position: number;
  #charactersLeft = maxLogCharacters;

  /** @param log.position the position of the next entry */
  constructor(db: RegistryDb, log: { readonly buildId: string; readonly clock: Clock; readonly position: number }) {
    this.#db = db;
    this.#buildId = log.buildId;
    this.#clock = log.clock;
    this.#position = log.position;
  }

  async add(...entries: readonly BuildLogEntry[]): Promise<void> {
    const datetime = new Date(this.#clock.now()).toISOString();
    const rows = entries.flatMap((entry) => {
      const message = entry.type === undefined ? this.#keptOutput(entry.message) : entry.message;
      if (message === undefined) return [];
      const stored = { ...entry, message: readable(message), data: { datetime } };
      return [{ build_id: this.#buildId, position: this.#position++, entry: JSON.stringify(stored) }];
    });
    await insertLogEntries(this.#db, rows);
  }

  /** A line of output; the last one says that more is not kept, and after it there is none. */
  #keptOutput(line: string): string | undefined {
    if (this.#position > maxLogLines || this.#charactersLeft < 0) return undefined;
    this.#charactersLeft -= line.length;
    return this.#position === maxLogLines || this.#charactersLeft < 0 ? "(further output is not kept)" : line;
  }
}

/** The most entries in one response. */
const maxEntries = 5000;

/**
 * The entries of a build's log from the position `start` on, and their `total`. The log may be in the database or in the blob store.
 * @throws RegistryError `invalid_response` if the file of the log is missing or damaged; BlobStoreError
 */
export async function readBuildLog({ db, blobs }: Pick<CallContext, "db" | "blobs">, buildId: string, start: number) {
  const stretch = { start, limit: maxEntries };
  const total = await countLogEntries(db, buildId);
  const entries = await readLogEntries(db, buildId, stretch);
  // Read after the entries: the log may be archived meanwhile.
  const archive = entries.length === 0 ? await findLogArchive(db, buildId) : undefined;
  if (archive?.state !== "archived") return { start, total, logs: parsed(entries) };
  return { start, total: archive.entries, logs: parsed(await archivedEntries(blobs, archive, stretch)) };
}

function parsed(entries: readonly string[]): Record<string, unknown>[] {
  return entries.map((entry) => JSON.parse(entry));
}

async function archivedEntries(
  blobs: Pick<BlobStore, "read">,
  archive: BuildLogArchiveRow,
  stretch: { readonly start: number; readonly limit: number },
): Promise<readonly string[]> {
  try {
    return await readArchivedEntries(blobs, archive, stretch);
  } catch (error) {
    if (!isLostBlob(error)) throw error;
    throw new RegistryError("invalid_response", "The archived log of the build is missing", { cause: error });
  }
}
