import { violatedConstraint } from "@plimsoll/store";
import { invalidRequest, notFound, type RegistryError } from "../errors.ts";

/**
 * Awaits a statement that writes a unique value, which was checked before. If another transaction has written the same value since the
 * check, throws the error of the check. Must run in a transaction, which the error ends.
 */
export async function unlessTaken<T>(statement: Promise<T>, taken: () => RegistryError): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw violatedConstraint(error) === "unique" ? taken() : error;
  }
}

/** The response error for a request that conflicted with a concurrent one; undefined for any other error. */
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
