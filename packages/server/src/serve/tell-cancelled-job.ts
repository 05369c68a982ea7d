import { type Job, job, type Store, tellJobEvents } from "@plimsoll/store";
import { Type } from "typebox";

/**
 * Tells the log and the metrics of a server of a job that another process has cancelled while it waited: a command, which has neither.
 * Of a job that ran, its own worker tells.
 */
export const tellCancelledJob = job({
  kind: "server.tell-cancelled",
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

/** What is told of a job. */
export function toldOf({ id, kind, dueAt, attempts, maxAttempts }: Job) {
  return { id, kind, dueAt, attempts, maxAttempts };
}
