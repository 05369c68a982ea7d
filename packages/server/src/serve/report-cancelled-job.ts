import { type Job, job, type Store, tellJobEvents } from "@plimsoll/store";
import { Type } from "typebox";

/**
 * Reports a cancelled job to the log and the metrics of a server. A command enqueues it after cancelling a waiting job, because a command
 * has neither. A running job is reported by its own worker.
 */
export const reportCancelledJob = job({
  kind: "server.report-cancelled-job",
  payload: Type.Object({
    id: Type.String(),
    kind: Type.String(),
    dueAt: Type.Integer(),
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
  }),
  staleAfterSeconds: 86_400,
  async handle({ payload }, { store }: { readonly store: Store<unknown> }) {
    tellJobEvents(store.db, [{ kind: "cancelled", job: payload }]);
  },
});

/** The payload for a cancelled job. */
export function cancelledJobOf({ id, kind, dueAt, attempts, maxAttempts }: Job) {
  return { id, kind, dueAt, attempts, maxAttempts };
}
