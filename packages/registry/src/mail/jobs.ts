import { enqueueJob, JobRejected, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { CallContext } from "../context.ts";
import type { Sealer } from "../crypto/secrets.ts";
import type { Mail, Mailer } from "../ports.ts";

/** Sends a message. A message that was encrypted with another key is rejected for good. */
export const sendMailJob = job({
  kind: "registry.send-mail",
  payload: Type.Object({ sealed: Type.String() }),
  priority: "urgent",
  timeoutSeconds: 300,
  async handle({ payload, signal }, { mailer, secrets }: { readonly mailer: Mailer; readonly secrets: Sealer }) {
    const text = secrets.open(payload.sealed);
    if (text === undefined) throw new JobRejected("the message was sealed with another key");
    await mailer.send(JSON.parse(text) as Mail, { signal });
  },
});

/** Queues a message, which is sent once the transaction commits. It may hold a code, so the queue keeps it encrypted. */
export async function queueMail(
  { db, secrets, clock }: Pick<CallContext, "db" | "secrets" | "clock">,
  mail: Mail,
): Promise<void> {
  const sealed = secrets.seal(JSON.stringify(mail));
  await enqueueJob(db, sendMailJob.of({ sealed }), clock);
}
