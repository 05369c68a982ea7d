import { randomUUID } from "node:crypto";
import { isSuperuserName } from "../access/standing.ts";
import { RegistryError } from "../errors.ts";
import type { RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ServiceKeyRow } from "./views.ts";

/** How long a key waits for its approval. */
const waitsMs = 86_400_000;

/** How many keys can wait: anybody can submit some. */
const maxWaiting = { ofService: 10, inAll: 100 } as const;

/** Removes the keys that nobody has approved in time, and what tells of them. */
export async function deleteUnapproved(db: RegistryDb, now: number): Promise<void> {
  await db
    .deleteFrom("service_key")
    .where("approved_at", "is", null)
    .where("created_at", "<=", now - waitsMs)
    .execute();
}

/** @throws RegistryError `too_many_requests` where no more keys can wait */
export async function checkMayWait(db: RegistryDb, service: string): Promise<void> {
  const waiting = await db.selectFrom("service_key").select("service").where("approved_at", "is", null).execute();
  const ofService = waiting.filter((key) => key.service === service);
  if (waiting.length < maxWaiting.inAll && ofService.length < maxWaiting.ofService) return;
  throw new RegistryError("too_many_requests", "Too many keys wait for approval", { retryAfterSeconds: 3600 });
}

/** Tells every superuser that a key waits. It is taken back when the key is approved, and goes with the key. */
export async function tellOfSubmittedKey(
  db: RegistryDb,
  settings: RegistrySettings,
  key: ServiceKeyRow,
): Promise<void> {
  const names = settings.superusers.filter((name) => isSuperuserName(settings, name));
  if (names.length === 0) return;
  const users = await db
    .selectFrom("account")
    .select("id")
    .where("kind", "=", "user")
    .where("username", "in", names)
    .execute();
  if (users.length === 0) return;
  const shared = {
    kind: "service_key_submitted",
    metadata: JSON.stringify(toldOf(key)),
    service_key_kid: key.kid,
    dismissed: 0 as const,
    created_at: key.created_at,
  };
  const rows = users.map(({ id: account_id }) => ({ id: randomUUID(), account_id, ...shared }));
  await db.insertInto("user_notification").values(rows).execute();
}

/** Dates are unix seconds here, as clients of such registries are used to. */
function toldOf({ name, kid, service, jwk, metadata, created_at, expires_at }: ServiceKeyRow) {
  return {
    name,
    kid,
    service,
    jwk: JSON.parse(jwk) as unknown,
    metadata: JSON.parse(metadata) as unknown,
    created_date: Math.floor(created_at / 1000),
    ...(expires_at !== null && { expiration_date: Math.floor(expires_at / 1000) }),
  };
}

/** Takes back what told of a key that waits no longer. */
export async function withdrawSubmittedKey(db: RegistryDb, kid: string): Promise<void> {
  await db.deleteFrom("user_notification").where("service_key_kid", "=", kid).execute();
}
