import { enqueueJob, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Clock } from "../ports.ts";
import { countFindingsJob } from "../security/jobs.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countAgain } from "./queries.ts";

/** What {@link countAgainJob} needs. */
export interface CountAgainContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Has the vulnerabilities of the images of an owner counted again, whose rules have changed. */
export const countAgainJob = job({
  kind: "registry.count-again",
  payload: Type.Union([Type.Object({ namespaceId: Type.String() }), Type.Object({ repositoryId: Type.String() })]),
  async handle({ payload, signal }, { store, clock }: CountAgainContext) {
    for (let last: string | undefined = ""; last !== undefined; ) {
      signal.throwIfAborted();
      last = await countAgain(store.db, payload, last);
    }
    await enqueueJob(store.db, countFindingsJob.of(null), clock);
  },
});
