import { isDigest } from "@plimsoll/core/digest";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { rightsOn } from "@plimsoll/registry/distribution/repository-actions";
import { isTagName } from "@plimsoll/registry/values/names";
import { ifWritable } from "@plimsoll/store";
import type { Exchange, OfName, OfReference } from "./distribution.ts";
import type { DistributionError, DistributionErrorCode } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";
import type { DistributionContext, DistributionOperation } from "./operation.ts";

const refusalKinds = ["push_repo_failed", "delete_tag_failed"] as const;

/** A kind of entry about a refused request. */
export type RefusalKind = (typeof refusalKinds)[number];

/** The kind that an operation declares; undefined for one whose refusals are not logged. */
export function refusalKindOf({ audit = [] }: Pick<DistributionOperation, "audit">): RefusalKind | undefined {
  return refusalKinds.find((kind) => audit.includes(kind));
}

/** Errors after which a client continues in another way, or later: the push has not failed yet. */
const recoverable: ReadonlySet<DistributionErrorCode> = new Set([
  "RANGE_INVALID",
  "BLOB_UPLOAD_UNKNOWN",
  "TOOMANYREQUESTS",
]);

/**
 * Logs that a change of a repository was refused to an identified caller. It does not log faults of the server, nor tokens that lack a
 * right that their account has: clients then request another token, and succeed.
 */
export async function logRefusal(
  { distribution, exchange }: DistributionContext,
  kind: RefusalKind,
  { code, status, message }: DistributionError,
): Promise<void> {
  const { store, settings } = distribution.registry;
  const { principal } = exchange.caller;
  if (principal.kind === "anonymous" || status >= 500 || recoverable.has(code)) return;
  const named = exchange as Exchange<OfName & Partial<OfReference>>; // these operations have a repository in their path
  const path = named.params.name;
  await ifWritable(async () => {
    const { namespace, name } = splitRepository(path);
    const repository = await findImageRepository(store.db, namespace, name);
    if (repository === undefined) return;
    if (code === "UNAUTHORIZED") {
      const { actions } = await rightsOn({ db: store.db, settings }, principal, { path, repository });
      if (actions.has("push")) return;
    }
    await logUse(store.relaxed, named, { kind, repository, ...namedIn(named), note: { error: code, message } });
  });
}

/** The tag or the digest in the path, if it has one. */
function namedIn({ params: { reference = "" } }: Exchange<Partial<OfReference>>) {
  return isTagName(reference) || isDigest(reference) ? { reference } : {};
}
