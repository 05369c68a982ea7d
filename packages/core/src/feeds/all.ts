import type { Updater } from "../plugins.ts";
import { debianTrackerUpdater } from "./debian-tracker/updater.ts";
import { osvUpdater } from "./osv/updater.ts";
import { alpineSecdbUpdater, chainguardSecdbUpdater, wolfiSecdbUpdater } from "./secdb/updaters.ts";

/** The updater of every feed that comes with the engine. */
export const allUpdaters: readonly Updater[] = [
  debianTrackerUpdater,
  osvUpdater(),
  alpineSecdbUpdater,
  wolfiSecdbUpdater,
  chainguardSecdbUpdater,
];
