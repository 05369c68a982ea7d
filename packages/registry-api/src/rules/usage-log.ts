import { accountOf, type Principal } from "../access/principal.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { LogKind } from "./log-kinds.ts";

/** An entry to be. */
export interface NewLogEntry {
  readonly kind: LogKind;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly namespaceId?: string;
  readonly repositoryId?: string;
  readonly principal: Principal;
  readonly ip?: string;
  readonly at: number;
}

/** Adds an entry to the usage log. What is done with an OAuth token names it. */
export async function writeUsageLog(db: RegistryDb, entry: NewLogEntry): Promise<void> {
  const { kind, namespaceId, repositoryId, principal, ip, at } = entry;
  const performer = accountOf(principal);
  await db
    .insertInto("usage_log")
    .values({
      kind,
      namespace_id: namespaceId ?? null,
      repository_id: repositoryId ?? null,
      performer_id: performer?.id ?? null,
      performer_name: performer?.username ?? null,
      ip: ip ?? null,
      metadata: JSON.stringify({ ...entry.metadata, ...tokenMetadata(principal) }),
      at,
    })
    .execute();
}

function tokenMetadata(principal: Principal): Readonly<Record<string, string>> {
  if (principal.kind !== "user" || principal.via.kind !== "oauth") return {};
  const { id, clientId, applicationName } = principal.via.token;
  return {
    oauth_token_id: id,
    oauth_token_application_id: clientId,
    oauth_token_application: applicationName,
  };
}
