import type { Principal } from "@plimsoll/registry/access/principal";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { type NewLogEntry, writeUsageLog } from "@plimsoll/registry/store/usage-log";
import type { Exchange } from "./distribution.ts";

/** A pull, push or deletion to log. */
export interface LoggedUse {
  readonly kind:
    | "pull_repo"
    | "pull_repo_failed"
    | "push_repo"
    | "push_repo_failed"
    | "delete_tag"
    | "delete_tag_failed";
  readonly repository: ImageRepository;
  /** A tag or a digest; absent if the request has none. */
  readonly reference?: string;
  readonly mediaType?: string;
  /** Further metadata. */
  readonly note?: Readonly<Record<string, unknown>>;
}

/** Writes an entry about an image and the credential to the usage log, in one statement. */
export async function logUse(db: RegistryDb, exchange: Exchange, use: LoggedUse): Promise<void> {
  await writeUsageLog(db, logEntryOf(exchange, use));
}

/** The entry of the usage log. */
export function logEntryOf({ request, caller, ip, now }: Exchange, use: LoggedUse): NewLogEntry {
  const { kind, repository, reference, mediaType, note } = use;
  return {
    kind,
    metadata: {
      repo: repository.name,
      namespace: repository.namespace,
      "user-agent": request.headers["user-agent"] ?? "",
      ...(reference !== undefined && { [reference.includes(":") ? "manifest_digest" : "tag"]: reference }),
      ...(mediaType !== undefined && { mediaType }),
      ...note,
      ...credentialOf(caller.principal),
    },
    namespaceId: repository.namespace_id,
    repositoryId: repository.id,
    principal: caller.principal,
    ip,
    at: now,
  };
}

function credentialOf(principal: Principal): Readonly<Record<string, unknown>> {
  switch (principal.kind) {
    case "anonymous":
      return {};
    case "repository-token":
      return { token: principal.friendlyName };
    case "robot":
      return { username: principal.account.username, is_robot: true };
    case "user": {
      const { account, via } = principal;
      const { username } = account;
      if (via.kind !== "app-token") return { username };
      return { username, app_specific_token: via.id, app_specific_token_title: via.title };
    }
  }
}
