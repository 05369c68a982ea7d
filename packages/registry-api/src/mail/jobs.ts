import { type JobHandler, JobRejected } from "@plimsoll/store";
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
