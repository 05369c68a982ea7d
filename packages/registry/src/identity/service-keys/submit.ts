import { randomUUID } from "node:crypto";
import { oneAtATime } from "@plimsoll/store";
import type { JWK } from "jose";
import { isSuperuserName } from "../../access/global-role.ts";
import { anonymous } from "../../access/principal.ts";
import { invalidRequest, notFound, RegistryError } from "../../errors.ts";
import { insertNotifications } from "../../events/queries/notifications.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { formatOptionalDate } from "../../values/dates.ts";
import type { LogKind } from "../../values/log-kinds.ts";
import type { PublicJwk } from "./jwk.ts";
import { checkServiceProof, proofRefused, type ServiceProof } from "./proof.ts";
import {
  deleteUnapproved,
  findKey,
  findServiceKey,
  insertKey,
  listUserIds,
  listWaitingServices,
  removeKey,
  type ServiceKeyRow,
} from "./queries.ts";

/** A request of a service about its keys. */
export interface ServiceRequest {
  readonly store: RegistryStore;
  readonly settings: RegistrySettings;
  readonly service: string;
  readonly kid: string;
  readonly proof: ServiceProof;
  readonly ip: string;
  readonly userAgent: string;
  readonly now: number;
}

/** A key that a service submits. */
interface Submission {
  readonly jwk: PublicJwk;
  /** Epoch milliseconds; undefined: never. */
  readonly expiresAt: number | undefined;
  readonly rotationSeconds: number | undefined;
}

/** Whether a key has expired. */
export function isExpired({ expires_at }: Pick<ServiceKeyRow, "expires_at">, now: number): boolean {
  return expires_at !== null && expires_at <= now;
}

/** Whether a key is valid for its service: approved, and not expired. */
function isInForce(key: ServiceKeyRow, now: number): boolean {
  return key.approved_at !== null && !isExpired(key, now);
}

/**
 * Stores a submitted key of a service. A key that is signed by itself waits for approval; one that is signed by a valid key replaces
 * that key at once. A key that is stored already stays as it is.
 * @throws RegistryError `insufficient_scope`, `invalid_request`, `too_many_requests`
 */
export async function submitServiceKey(
  request: ServiceRequest,
  submission: Submission,
): Promise<"waiting" | "approved"> {
  const { store, service, proof, now } = request;
  const { signerKid = request.kid, jwt } = proof;
  const isOwn = signerKid === request.kid;
  const signer = isOwn ? undefined : await findSigner(store.db, request, signerKid);
  await checkServiceProof(jwt, isOwn ? { ...submission.jwk } : jwkOf(signer), request);
  return store.transaction(async (db) => {
    await oneAtATime(store, db, { name: "registry.submit-service-key" });
    await deleteUnapproved(db, now);
    const before = await findOwn(db, request);
    if (before !== undefined && isExpired(before, now)) throw invalidRequest("The key has expired: submit another");
    if (before !== undefined && before.approved_at !== null) return "approved";
    if (!isOwn) return rotate(db, request, { submission, signer: await findSigner(db, request, signerKid) });
    if (before !== undefined) return "waiting";
    await checkMayWait(db, service);
    return addWaiting(db, request, submission);
  });
}

/** @throws RegistryError `insufficient_scope` */
async function findSigner(db: RegistryDb, { service, now }: ServiceRequest, kid: string): Promise<ServiceKeyRow> {
  const signer = await findServiceKey(db, service, kid);
  if (signer === undefined || !isInForce(signer, now)) throw proofRefused();
  return signer;
}

/** @throws RegistryError `invalid_request` when the key is that of another service */
async function findOwn(db: RegistryDb, { service, kid }: ServiceRequest): Promise<ServiceKeyRow | undefined> {
  const key = await findKey(db, kid);
  if (key !== undefined && key.service !== service) throw invalidRequest("The key is that of another service");
  return key;
}

const unapproved = { approved_at: null, approver_id: null, approval_type: null, approval_notes: null } as const;

async function addWaiting(db: RegistryDb, request: ServiceRequest, submission: Submission): Promise<"waiting"> {
  const { kid, service, settings, ip, now } = request;
  const { jwk, expiresAt, rotationSeconds } = submission;
  const [expires_at, rotation_duration_s] = [expiresAt ?? null, rotationSeconds ?? null];
  const shown = { kid, service, name: "", jwk: JSON.stringify(jwk), metadata: JSON.stringify({ ip }) };
  const key = { ...shown, created_at: now, expires_at, rotation_duration_s, ...unapproved };
  await insertKey(db, key);
  await notifyOfSubmittedKey(db, settings, key);
  const expiration_date = formatOptionalDate(expires_at);
  await log(db, request, { kind: "service_key_create", more: { preshared: false, name: "", expiration_date } });
  return "waiting";
}

/** Replaces the signing key by the new key. */
async function rotate(
  db: RegistryDb,
  request: ServiceRequest,
  { submission: { jwk, expiresAt }, signer }: { readonly submission: Submission; readonly signer: ServiceKeyRow },
): Promise<"approved"> {
  const { kid, ip, now } = request;
  const expires_at = expiresAt ?? null;
  const metadata = { ...(JSON.parse(signer.metadata) as object), ip, created_by: "key rotation" };
  const changed = { kid, jwk: JSON.stringify(jwk), metadata: JSON.stringify(metadata), created_at: now, expires_at };
  const approval = { approved_at: now, approver_id: null, approval_type: "KEY_ROTATION", approval_notes: "" };
  await removeKey(db, kid); // the same key may have waited for approval
  const isReplaced = await removeKey(db, signer.kid);
  if (!isReplaced) throw proofRefused(); // another request has removed it
  await insertKey(db, { ...signer, ...changed, ...approval });
  const expiration_date = formatOptionalDate(expires_at);
  await log(db, request, {
    kind: "service_key_rotate",
    more: { signer_kid: signer.kid, name: signer.name, expiration_date },
  });
  return "approved";
}

/**
 * Removes a key of a service. The request must be signed with that key, or with another valid key of the service.
 * @throws RegistryError `insufficient_scope`, `not_found`
 */
export async function removeServiceKey(request: ServiceRequest): Promise<void> {
  const { store, service, kid, proof } = request;
  const { signerKid = kid, jwt } = proof;
  const find = (db: RegistryDb) =>
    signerKid === kid ? findServiceKey(db, service, kid) : findSigner(db, request, signerKid);
  await checkServiceProof(jwt, jwkOf(await find(store.db)), request);
  await store.transaction(async (db) => {
    await find(db); // again, since the signing key may have been removed or have expired in the meantime
    const removed = await findServiceKey(db, service, kid);
    if (removed === undefined) throw notFound("The service has no key with that kid: it was removed already");
    await removeKey(db, kid);
    await log(db, request, { kind: "service_key_delete", more: { signer_kid: signerKid, name: removed.name } });
  });
}

/** @throws RegistryError `insufficient_scope` if there is no key */
function jwkOf(key: ServiceKeyRow | undefined): JWK {
  if (key === undefined) throw proofRefused();
  return JSON.parse(key.jwk) as JWK;
}

function log(
  db: RegistryDb,
  { kid, service, ip, userAgent, now }: ServiceRequest,
  { kind, more }: { readonly kind: LogKind; readonly more: Readonly<Record<string, unknown>> },
): Promise<void> {
  const metadata = { kid, service, ...more, user_agent: userAgent, ip };
  return writeUsageLog(db, { kind, metadata, principal: anonymous, ip, at: now });
}

/** How many keys can wait for approval. Bounded, since any client can submit keys. */
const maxWaiting = { ofService: 10, inAll: 100 } as const;

/** @throws RegistryError `too_many_requests` if no more keys can wait */
async function checkMayWait(db: RegistryDb, service: string): Promise<void> {
  const waiting = await listWaitingServices(db);
  const ofService = waiting.filter((each) => each === service);
  if (waiting.length < maxWaiting.inAll && ofService.length < maxWaiting.ofService) return;
  throw new RegistryError("too_many_requests", "Too many keys wait for approval", { retryAfterSeconds: 3600 });
}

/**
 * Notifies every superuser that a key waits for approval. The notice is deleted when the key is approved or deleted.
 */
async function notifyOfSubmittedKey(db: RegistryDb, settings: RegistrySettings, key: ServiceKeyRow): Promise<void> {
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
  await insertNotifications(db, rows);
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
