import type { TSchema } from "typebox";
import { JobRejected } from "./job.ts";

/**
 * Checks the payload of a row, which another release may have written. The checker is loaded with the first job, because many processes
 * never run one.
 * @throws JobRejected naming the wrong member, without values
 */
export async function checkPayload(kind: string, schema: TSchema, payload: unknown): Promise<void> {
  const { Check, Errors } = await loadChecker();
  if (Check(schema, payload)) return;
  const [, errors] = Errors(schema, payload);
  const [first] = errors;
  const where = first === undefined || first.instancePath === "" ? "it" : first.instancePath;
  throw new JobRejected(`the payload of ${kind} does not match its schema: ${where} ${first?.message ?? "is wrong"}`);
}

/** Whether the payload of a row matches the current schema of its kind. */
export async function isPayload(schema: TSchema, payload: unknown): Promise<boolean> {
  const { Check } = await loadChecker();
  return Check(schema, payload);
}

function loadChecker() {
  return import("typebox/schema");
}
