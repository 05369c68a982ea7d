import { violatedConstraint } from "@plimsoll/store";
import { invalidRequest, notFound, type RegistryError } from "../errors.ts";

/**
 * Runs a statement that writes a unique value. Where another transaction has written the same value since that was checked, the
 * refusal is that of the check. Must run in a transaction, which the refusal ends.
 */
export async function unlessTaken<T>(statement: Promise<T>, taken: () => RegistryError): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw violatedConstraint(error) === "unique" ? taken() : error;
  }
}

/** The refusal of a request that lost to a concurrent one; undefined for any other error. */
export function refusalOfConflict(error: unknown): RegistryError | undefined {
  switch (violatedConstraint(error)) {
    case "unique":
      return invalidRequest("Another request has just created the same: read it, or try again");
    case "foreign-key":
      return notFound("Something that the request needs has just been deleted");
    case undefined:
      return undefined;
  }
}
