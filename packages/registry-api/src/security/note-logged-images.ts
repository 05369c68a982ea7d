import { isDigest } from "@plimsoll/core";
import { cooperativeYield } from "@plimsoll/store";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { noteGoneImages } from "./forget-reports.ts";
import { findNewestLogEntry, listLogEntries } from "./queries/scans.ts";

/** How many entries of the usage log are looked at in one transaction. */
const stepLength = 1000;

/** What of an image was in the registry then: these name it by its digest, where a client did. */
const kinds: ReadonlySet<string> = new Set(["pull_repo", "create_tag", "move_tag", "revert_tag"]);

/**
 * Notes the images that were collected before the collection did so itself, as far as the usage log names them: nothing else says
 * which of the scanner's images ever were in the registry, and those of the scanner's other clients are not ours to forget. Looks
 * once at every entry that there is when it begins, and goes on where it was stopped.
 * @returns how many entries this call has looked at
 */
export async function noteLoggedImages(store: RegistryStore, signal: AbortSignal): Promise<number> {
  const yieldToOthers = cooperativeYield();
  for (let looked = 0; ; await yieldToOthers()) {
    signal.throwIfAborted();
    const step = await store.transaction((db) => lookAtStep(db));
    if (step === 0) return looked;
    looked += step;
  }
}

/** Until which entry of the log was looked at, and until which is to be. */
interface Progress {
  readonly after: number;
  readonly until: number;
}

const progressFact = "images-of-log-noted";

async function lookAtStep(db: RegistryDb): Promise<number> {
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
  const said = await findFact(db, progressFact);
  if (said !== undefined) return JSON.parse(said) as Progress;
  const newest = await findNewestLogEntry(db);
  const progress = { after: 0, until: Number(newest?.id ?? 0) };
  await putFact(db, progressFact, JSON.stringify(progress));
  return progress;
}

function digestIn(metadata: string): readonly string[] {
  const { manifest_digest: digest } = JSON.parse(metadata) as { readonly manifest_digest?: unknown };
  return typeof digest === "string" && isDigest(digest) ? [digest] : [];
}
