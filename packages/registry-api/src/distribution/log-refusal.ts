import { isDigest } from "@plimsoll/core";
import { ifWritable } from "@plimsoll/store";
import { splitRepository } from "../access/on-repository.ts";
import { findImageRepository } from "../access/queries/image-repositories.ts";
import { isTagName } from "../values/names.ts";
import type { Exchange, OfName, OfReference } from "./distribution.ts";
import type { DistributionError, DistributionErrorCode } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";
import type { DistributionContext, DistributionOperation } from "./operation.ts";
import { rightsOn } from "./repository-actions.ts";

const refusalKinds = ["push_repo_failed", "delete_tag_failed"] as const;

/** A kind of entry that tells of a request that was refused. */
export type RefusalKind = (typeof refusalKinds)[number];

/** The kind that an operation declares; undefined for one whose refusals are not logged. */
export function refusalKindOf({ audit = [] }: Pick<DistributionOperation, "audit">): RefusalKind | undefined {
  return refusalKinds.find((kind) => audit.includes(kind));
}

/** What tells a client to go on in another way, or later: the push has not failed yet. */
const goingOn: ReadonlySet<DistributionErrorCode> = new Set([
  "RANGE_INVALID",
  "BLOB_UPLOAD_UNKNOWN",
  "TOOMANYREQUESTS",
]);

/**
 * Writes to the usage log that a known caller was refused what changes a repository. Faults of the server are not in it, and neither is
 * a token that lacks a right that its holder has: clients then ask for another token, and succeed.
 */
export async function logRefusal(
  { distribution, exchange }: DistributionContext,
  kind: RefusalKind,
  { code, status, message }: DistributionError,
): Promise<void> {
  const { store, settings } = distribution.registry;
  const { principal } = exchange.caller;
  if (principal.kind === "anonymous" || status >= 500 || goingOn.has(code)) return;
  const asked = exchange as Exchange<OfName & Partial<OfReference>>; // such operations are of a repository
  const path = asked.params.name;
  await ifWritable(async () => {
    const { namespace, name } = splitRepository(path);
    const repository = await findImageRepository(store.db, namespace, name);
    if (repository === undefined) return;
    if (code === "UNAUTHORIZED") {
      const { actions } = await rightsOn({ db: store.db, settings }, principal, { path, repository });
      if (actions.has("push")) return;
    }
    await logUse(store.relaxed, asked, { kind, repository, ...namedIn(asked), note: { error: code, message } });
  });
}

/** The tag or the digest of the manifest that the request names, if it names one. */
function namedIn({ params: { reference = "" } }: Exchange<Partial<OfReference>>) {
  return isTagName(reference) || isDigest(reference) ? { reference } : {};
}
