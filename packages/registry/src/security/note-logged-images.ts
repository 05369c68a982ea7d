import { isDigest } from "@plimsoll/core/digest";
import { cooperativeYield } from "@plimsoll/store";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { noteGoneImages } from "./delete-reports.ts";
import { findNewestLogEntry, listLogEntries } from "./queries/scans.ts";

/** How many entries of the usage log are read in one transaction. */
const stepLength = 1000;

/** The kinds of entries that name an image by its digest. */
const kinds: ReadonlySet<string> = new Set(["pull_repo", "create_tag", "move_tag", "revert_tag"]);

/**
 * Finds deleted images whose reports the scanner may still have, by the usage log. Needed for images that were collected before the
 * collection stored their digests: the scanner cannot be asked, since it may have images of other clients. Reads every entry that
 * exists at its first call once, and resumes after an interruption.
 * @returns how many entries this call has read
 */
export async function noteLoggedImages(store: RegistryStore, signal: AbortSignal): Promise<number> {
  const yieldToOthers = cooperativeYield();
  for (let entries = 0; ; await yieldToOthers()) {
    signal.throwIfAborted();
    const step = await store.transaction((db) => readStep(db));
    if (step === 0) return entries;
    entries += step;
  }
}

/** The ids of the last entry that was read, and of the last entry to read. */
interface Progress {
  readonly after: number;
  readonly until: number;
}

const progressFact = "images-of-log-noted";

async function readStep(db: RegistryDb): Promise<number> {
  const { after, until } = await findProgress(db);
  if (after >= until) return 0;
  const entries = await listLogEntries(db, { after, until, limit: stepLength });
  const named = entries.filter(({ kind }) => kinds.has(kind)).flatMap(({ metadata }) => digestIn(metadata));
  await noteGoneImages(db, [...new Set(named)].sort());
  const last = entries.length < stepLength ? until : Number(entries.at(-1)?.id);
  await putFact(db, progressFact, JSON.stringify({ after: last, until }));
  return entries.length;
}

async function findProgress(db: RegistryDb): Promise<Progress> {
  const stored = await findFact(db, progressFact);
  if (stored !== undefined) return JSON.parse(stored) as Progress;
  const newest = await findNewestLogEntry(db);
  const progress = { after: 0, until: Number(newest?.id ?? 0) };
  await putFact(db, progressFact, JSON.stringify(progress));
  return progress;
}

function digestIn(metadata: string): readonly string[] {
  const { manifest_digest: digest } = JSON.parse(metadata) as { readonly manifest_digest?: unknown };
  return typeof digest === "string" && isDigest(digest) ? [digest] : [];
}
