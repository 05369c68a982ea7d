import { accountOf, type Principal } from "../access/principal.ts";
import type { LogKind } from "../values/log-kinds.ts";
import type { RegistryDb } from "./tables/all.ts";

/** An entry to write. */
export interface NewLogEntry {
  readonly kind: LogKind;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly namespaceId?: string;
  readonly repositoryId?: string;
  readonly principal: Principal;
  readonly ip?: string;
  readonly at: number;
}

/** The statement that adds entries, to be run together with other statements; undefined without entries. */
export function newLogEntries(db: RegistryDb, entries: readonly NewLogEntry[]) {
  return entries.length === 0 ? undefined : db.insertInto("usage_log").values(entries.map(rowOf));
}

function rowOf({ kind, namespaceId, repositoryId, principal, ip, metadata, at }: NewLogEntry) {
  const performer = accountOf(principal);
  return {
    kind,
    namespace_id: namespaceId ?? null,
    repository_id: repositoryId ?? null,
    performer_id: performer?.id ?? null,
    performer_name: performer?.username ?? null,
    ip: ip ?? null,
    metadata: JSON.stringify({ ...metadata, ...tokenMetadata(principal) }),
    at,
  };
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

/** Adds an entry to the usage log. If the caller used an OAuth token, the entry names the token. */
export async function writeUsageLog(db: RegistryDb, entry: NewLogEntry): Promise<void> {
  await newLogEntries(db, [entry])?.execute();
}

/** Adds several entries to the usage log. */
export async function writeUsageLogs(db: RegistryDb, entries: readonly NewLogEntry[]): Promise<void> {
  await newLogEntries(db, entries)?.execute();
}
