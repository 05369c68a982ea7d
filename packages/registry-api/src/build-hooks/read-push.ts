import { parseBody, RequestError } from "@plimsoll/http";
import { invalidRequest } from "@plimsoll/registry/errors";
import { isObject, memberOf } from "@plimsoll/registry/values/json-objects";

/** A push to a git repository. */
export interface Push {
  /** `refs/heads/main` */
  readonly ref: string;
  readonly commit: string;
  readonly isDefaultBranch: boolean;
}

/**
 * Reads a push from the body of a delivery. Undefined for other events, and for a deleted reference.
 * @param event the value of the header that names the event; undefined if the forge sends none
 * @throws RegistryError `invalid_request` for a body that cannot be read
 */
export function readPush(body: Uint8Array, event: string | undefined): Push | undefined {
  if (event !== undefined && !/^push(?: hook|_hook)?$|^tag push hook$/i.test(event)) return undefined;
  const { ref, after, checkout_sha, commit, deleted, default_branch, repository, project } = objectOf(body);
  const id = [checkout_sha, after, commit].find((each) => typeof each === "string");
  if (typeof ref !== "string" || !/^refs\/(?:heads|tags)\/[^\s]{1,240}$/.test(ref))
    throw invalidRequest("ref: expected the name of a branch or a tag, beginning with refs/heads/ or refs/tags/");
  if (deleted === true || (typeof id === "string" && /^0+$/.test(id))) return undefined;
  if (typeof id !== "string" || !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(id))
    throw invalidRequest("after: expected the hash of a commit");
  const defaults = [default_branch, memberOf(repository, "default_branch"), memberOf(project, "default_branch")];
  return { ref, commit: id, isDefaultBranch: defaults.some((branch) => `refs/heads/${branch}` === ref) };
}

function objectOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  const parsed = parseDelivery(body);
  if (isObject(parsed)) return parsed;
  throw invalidRequest("body: expected JSON: let the forge send application/json");
}

/** A push of thousands of files names each of them. */
const deliveryLimits = { mostValues: 500_000, mostDepth: 100 } as const;

function parseDelivery(body: Uint8Array): unknown {
  try {
    return parseBody(body, deliveryLimits);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw invalidRequest(`${error.message}: let the forge send application/json`);
  }
}

/** The tags of the image of a push: the name of its branch or tag, and `latest` for the default branch. */
export function tagsOfPush({ ref, isDefaultBranch }: Push): readonly string[] {
  return [ref.replace(/^refs\/(?:heads|tags)\//, ""), ...(isDefaultBranch ? ["latest"] : [])];
}
