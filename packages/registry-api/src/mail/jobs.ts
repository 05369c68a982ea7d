import { enqueueJob, type JobHandler, JobRejected } from "@plimsoll/store";
import type { OperationContext } from "../context.ts";
import type { Sealer } from "../crypto/secrets.ts";
import type { Mail, Mailer } from "../ports.ts";

/** Sends the message of a job. One that was sealed with another key can never be sent. */
export function sendMail(mailer: Mailer, secrets: Sealer): JobHandler {
  return async ({ job }) => {
    const { sealed } = job.payload as { readonly sealed: string };
    const text = secrets.open(sealed);
    if (text === undefined) throw new JobRejected("the message was sealed with another key");
    await mailer.send(JSON.parse(text) as Mail);
  };
}

/** The job that sends one message; its payload is `{ sealed }`. */
export const sendMailJob = "registry.send-mail";

/** Sends a message once the transaction is kept. It may hold a code, so the queue keeps it sealed. */
export async function queueMail(
  { db, secrets, ports }: Pick<OperationContext, "db" | "secrets" | "ports">,
  mail: Mail,
): Promise<void> {
  const payload = { sealed: secrets.seal(JSON.stringify(mail)) };
  await enqueueJob(db, { kind: sendMailJob, payload }, ports.clock);
}
