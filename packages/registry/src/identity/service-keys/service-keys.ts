import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import type { NewKeyPair } from "../../crypto/key-pair.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import {
  beforeOldest,
  type CreationKey,
  type ListPage,
  type ListPageQuery,
  readListPage,
} from "../../lists/list-pages.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { formatDate, formatOptionalDate } from "../../values/dates.ts";
import {
  findKey,
  insertKey,
  listKeys,
  removeKey,
  type ServiceKeyRow,
  updateKey,
  withdrawSubmittedKey,
} from "./queries.ts";

/** How long expired keys are listed. */
const listedAfterExpiryMs = 7 * 86_400_000;

/** Some keys, unapproved ones included, the oldest first. */
export function listServiceKeys(context: CallContext, query: ListPageQuery): Promise<ListPage<ServiceKeyRow>> {
  const { db, now } = context;
  const keyOf = ({ created_at, kid }: ServiceKeyRow): CreationKey => [created_at, kid];
  const list = { list: "service keys", ownerId: "", query, first: beforeOldest, keyOf } as const;
  return readListPage(context, list, (page) => listKeys(db, { ...page, expiresAfter: now - listedAfterExpiryMs }));
}

/** @throws RegistryError `not_found` */
export async function getServiceKey(db: RegistryDb, kid: string): Promise<ServiceKeyRow> {
  const row = await findKey(db, kid);
  if (row === undefined) throw notFound("There is no service key with that kid: list the keys to see their kids");
  return row;
}

/** The last instant that a `Date` can represent, in unix seconds. */
export const maxExpirationSeconds = 8_640_000_000_000;

/** Converts an expiration from unix seconds to epoch milliseconds; undefined: never. @throws RegistryError `invalid_request` for a time in the past */
export function expirationOf(seconds: number | undefined, now: number): number | undefined {
  if (seconds === undefined) return undefined;
  const at = Math.round(seconds * 1000);
  if (at <= now) throw invalidRequest("Expiration date cannot be in the past");
  return at;
}

/** A request of a superuser to create a service key. */
export interface ServiceKeyRequest {
  readonly service: string;
  readonly name?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly notes?: string;
  /** Unix time in seconds; undefined: never. */
  readonly expiration: number | undefined;
  readonly superuser: AccountRow;
}

/** Stores the public key of a new pair, approved by the superuser who made it. */
export async function addServiceKey(
  { db, now, log, caller: { ip } }: CallContext<"service_key_approve" | "service_key_create">,
  { kid, jwk }: NewKeyPair,
  { service, name = "", notes = "", superuser, ...request }: ServiceKeyRequest,
): Promise<void> {
  const expires_at = expirationOf(request.expiration, now) ?? null;
  const metadata = { ...request.metadata, created_by: "superuser API", creator: superuser.username, ip };
  const key = { kid, service, name, jwk: JSON.stringify(jwk), metadata: JSON.stringify(metadata) };
  await insertKey(db, {
    ...key,
    created_at: now,
    expires_at,
    rotation_duration_s: null,
    ...approvalBy(superuser, notes, now),
  });
  const expiration_date = formatOptionalDate(expires_at);
  const logged = { kid, service, name, preshared: true, expiration_date, auto_approved: true };
  await log("service_key_create", logged);
  await log("service_key_approve", logged);
}

function approvalBy(superuser: AccountRow, notes: string, now: number) {
  return {
    approved_at: now,
    approver_id: superuser.id,
    approval_type: "Super User API",
    approval_notes: notes,
  };
}

/** The largest metadata of a key, in characters as JSON: with what each change adds, they would otherwise grow for ever. */
export const maxMetadataLength = 16_384;

/** The metadata of a key with those of a change. @throws RegistryError `invalid_request` */
function mergedMetadata(stored: string, added: ServiceKeyChange["metadata"]): string {
  if (added === undefined) return stored;
  const merged = JSON.stringify({ ...(JSON.parse(stored) as object), ...added });
  if (merged.length <= maxMetadataLength) return merged;
  throw invalidRequest(
    `metadata: expected at most ${maxMetadataLength} characters as JSON together with what is stored, found ${merged.length}`,
  );
}

/** The members of a key that can change. */
export interface ServiceKeyChange {
  readonly name?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Unix time in seconds. */
  readonly expiration?: number | "never" | undefined;
}

/** Changes a key. Metadata is merged into the stored metadata. @throws RegistryError `not_found`, `invalid_request` */
export async function changeServiceKey(
  { db, now, log }: CallContext<"service_key_extend" | "service_key_modify">,
  kid: string,
  { name, metadata, expiration }: ServiceKeyChange,
): Promise<ServiceKeyRow> {
  const key = await getServiceKey(db, kid);
  const seconds = expiration === "never" ? undefined : expiration;
  const expiresAt = expiration === undefined ? key.expires_at : (expirationOf(seconds, now) ?? null);
  const changed = {
    name: name ?? key.name,
    metadata: mergedMetadata(key.metadata, metadata),
    expires_at: expiresAt,
  };
  await updateKey(db, kid, changed);
  const logged = { kid, service: key.service, name: changed.name, expiration_date: formatOptionalDate(expiresAt) };
  if (expiration !== undefined) {
    await log("service_key_extend", { ...logged, old_expiration_date: formatOptionalDate(key.expires_at) });
  }
  if (name !== undefined || metadata !== undefined) await log("service_key_modify", logged);
  return { ...key, ...changed };
}

/** Removes a key. @throws RegistryError `not_found` */
export async function deleteServiceKey({ db, log }: CallContext<"service_key_delete">, kid: string): Promise<void> {
  const { service, name, created_at, expires_at } = await getServiceKey(db, kid);
  await removeKey(db, kid);
  const dates = { created_date: formatDate(created_at), expiration_date: formatOptionalDate(expires_at) };
  await log("service_key_delete", { kid, service, name, ...dates });
}

/** Approves a key. A repeated call changes nothing. @throws RegistryError `not_found` */
export async function approveServiceKey(
  { db, now, log }: CallContext<"service_key_approve">,
  kid: string,
  { superuser, notes }: { readonly superuser: AccountRow; readonly notes: string },
): Promise<void> {
  const { service, name, expires_at, approved_at } = await getServiceKey(db, kid);
  if (approved_at !== null) return;
  const approval = approvalBy(superuser, notes, now);
  await updateKey(db, kid, approval);
  await withdrawSubmittedKey(db, kid);
  await log("service_key_approve", { kid, service, name, expiration_date: formatOptionalDate(expires_at) });
}
