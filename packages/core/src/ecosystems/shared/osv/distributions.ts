import { osvUpdater } from "./updater.ts";

/** The one OSV feed that all distributions share; each ecosystem that it speaks of lists it. */
export const osvDistributions = osvUpdater();
