import { randomUUID } from "node:crypto";
import { isSuperuserName } from "../../access/global-role.ts";
import { RegistryError } from "../../errors.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ServiceKeyRow } from "./queries.ts";
import { insertNotices, listUserIds, listWaitingServices } from "./queries.ts";

/** How many keys can wait for approval. Bounded, since any client can submit keys. */
const maxWaiting = { ofService: 10, inAll: 100 } as const;

/** @throws RegistryError `too_many_requests` if no more keys can wait */
export async function checkMayWait(db: RegistryDb, service: string): Promise<void> {
  const waiting = await listWaitingServices(db);
  const ofService = waiting.filter((each) => each === service);
  if (waiting.length < maxWaiting.inAll && ofService.length < maxWaiting.ofService) return;
  throw new RegistryError("too_many_requests", "Too many keys wait for approval", { retryAfterSeconds: 3600 });
}

/**
 * Notifies every superuser that a key waits for approval. The notice is deleted when the key is approved or deleted.
 */
export async function notifyOfSubmittedKey(
  db: RegistryDb,
  settings: RegistrySettings,
  key: ServiceKeyRow,
): Promise<void> {
  const names = settings.superusers.filter((name) => isSuperuserName(settings, name));
  if (names.length === 0) return;
  const users = await listUserIds(db, names);
  if (users.length === 0) return;
  const shared = {
    kind: "service_key_submitted",
    metadata: JSON.stringify(noticeMetadata(key)),
    service_key_kid: key.kid,
    dismissed: 0 as const,
    created_at: key.created_at,
  };
  const rows = users.map(({ id: account_id }) => ({ id: randomUUID(), account_id, ...shared }));
  await insertNotices(db, rows);
}

/** Clients expect the dates of this notification in unix seconds. */
function noticeMetadata({ name, kid, service, jwk, metadata, created_at, expires_at }: ServiceKeyRow) {
  return {
    name,
    kid,
    service,
    jwk: JSON.parse(jwk) as unknown,
    metadata: JSON.parse(metadata) as unknown,
    created_date: Math.floor(created_at / 1000),
    expiration_date: expires_at !== null ? Math.floor(expires_at / 1000) : undefined,
  };
}
