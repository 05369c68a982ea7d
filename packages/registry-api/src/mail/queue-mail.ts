import { enqueueJob } from "@plimsoll/store";
import type { OperationContext } from "../context.ts";
import type { Mail } from "../ports.ts";

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
