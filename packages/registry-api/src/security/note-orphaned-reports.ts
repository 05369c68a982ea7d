import { cooperativeYield } from "@plimsoll/store";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { type ForgettingOptions, noteGoneImages } from "./forget-reports.ts";

/** So many pages of the scanner's images are looked at in one call; the next one goes on there. */
const pagesPerCall = 50;

/** How long after the last image the first one is looked at again. */
const pauseMs = 86_400_000;

/**
 * Notes images that the scanner knows, no repository has and the usage log does not name. They were collected without a note: by an
 * older release, or in a database that was restored since. Where the scanner has other clients it lists none
 * (`ImageScanner.list`). Resumes where the last call stopped, and looks at all of them once a day.
 * @returns how many images this call has looked at
 */
export async function noteOrphanedReports(
  { store: { db }, scanner, clock }: ForgettingOptions,
  signal: AbortSignal,
): Promise<number> {
  const yieldToOthers = cooperativeYield();
  let { after, pausedUntil } = await findProgress(db);
  if (clock.now() < pausedUntil) return 0;
  let looked = 0;
  for (let page = 0; page < pagesPerCall; page++) {
    signal.throwIfAborted();
    const digests = (await scanner.list?.(after, { signal })) ?? [];
    await noteGoneImages(db, digests);
    const last = digests.at(-1);
    looked += digests.length;
    after = last ?? "";
    pausedUntil = last === undefined ? clock.now() + pauseMs : 0;
    await putFact(db, progressFact, JSON.stringify({ after, pausedUntil } satisfies Progress));
    if (last === undefined) break;
    await yieldToOthers();
  }
  return looked;
}

/** After which image to go on, and not before when, in epoch milliseconds. */
interface Progress {
  readonly after: string;
  readonly pausedUntil: number;
}

const progressFact = "orphaned-reports-noted";

async function findProgress(db: RegistryDb): Promise<Progress> {
  const said = await findFact(db, progressFact);
  return said === undefined ? { after: "", pausedUntil: 0 } : (JSON.parse(said) as Progress);
}
