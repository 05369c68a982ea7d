import { enqueueJob, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../../deps.ts";
import { countFindingsJob } from "../jobs.ts";
import { countAgain } from "./queries.ts";

/** The context of {@link countAgainJob}. */
export type CountAgainContext = Pick<Deps, "store" | "clock">;

/** Counts the vulnerabilities of an owner's images again after its rules have changed. */
export const countAgainJob = job({
  kind: "registry.recount-findings",
  payload: Type.Union([Type.Object({ namespaceId: Type.String() }), Type.Object({ repositoryId: Type.String() })]),
  async handle({ payload, signal }, { store, clock }: CountAgainContext) {
    for (let last: string | undefined = ""; last !== undefined; ) {
      signal.throwIfAborted();
      last = await countAgain(store.db, payload, last);
    }
    await enqueueJob(store.db, countFindingsJob.of(null), clock);
  },
});
