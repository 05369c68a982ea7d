import { job } from "@plimsoll/store";
import type { Deps } from "../../deps.ts";
import { keepTrend } from "./keep-trend.ts";

/** What {@link keepTrendJob} needs. */
export type KeepTrendContext = Pick<Deps, "store" | "clock">;

/** Stores how many vulnerabilities the images of each repository have today. Recurs. */
export const keepTrendJob = job({
  kind: "registry.store-finding-trend",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: KeepTrendContext) => keepTrend(store.db, { now: clock.now(), signal }),
});
