import type { Operation } from "@plimsoll/http";
import { type AccessRequest, checkScope, type Params } from "@plimsoll/registry/access/access";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import type { RegistryOperation } from "../operation.ts";
import type { ManagementExchange } from "./management-state.ts";

/**
 * Refuses a change whose path can also mean another operation on another repository, if the caller may do that one, too: without escaped
 * slashes, `DELETE /repository/acme/app/tag/x` deletes the tag `x` of `acme/app`, or the repository `acme/app/tag/x`. What the caller may
 * not do is no other meaning, so that the refusal does not reveal which repositories exist.
 * @throws RegistryError `invalid_request`
 */
export async function refuseAmbiguousPath(
  { otherReadings, params }: ManagementExchange,
  operation: RegistryOperation,
  admission: AccessRequest,
): Promise<void> {
  for (const { operation: read, params: otherParams } of otherReadings) {
    const other = read as RegistryOperation; // the router has only these
    if (!(await mayDo(other, { ...admission, params: otherParams }))) continue;
    const meanings = [escapedPath(operation, params as Params), escapedPath(other, otherParams)].join(" or ");
    throw invalidRequest(`Ambiguous path: write the slashes in the name of the repository as %2F, so ${meanings}`);
  }
}

/** Whether the caller may do an operation on a repository that exists. */
async function mayDo({ access }: RegistryOperation, admission: AccessRequest): Promise<boolean> {
  const { namespace, name } = splitRepository(admission.params.repository ?? "");
  if ((await findImageRepository(admission.db, namespace, name)) === undefined) return false;
  try {
    checkScope(admission.principal, access.scope);
    await access.admit(admission as never);
    return true;
  } catch (error) {
    if (error instanceof RegistryError) return false;
    throw error;
  }
}

/** `DELETE /api/v1/repository/acme%2Fapp/tag/x` */
function escapedPath({ method, path }: Pick<Operation, "method" | "path">, params: Params): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return `${method} /api/v1${filled}`;
}
