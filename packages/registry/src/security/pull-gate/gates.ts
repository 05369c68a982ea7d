import { randomUUID } from "node:crypto";
import { withoutUndefined } from "@plimsoll/core/internal";
import type { NamedOwner } from "../../access/named-owner.ts";
import { accountOf } from "../../access/principal.ts";
import { parseSigningKey, signingKeyForm } from "../../content/signatures/signing-keys.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound, notInList } from "../../errors.ts";
import { formatIsoSeconds, parseInstant } from "../../values/dates.ts";
import { checkPatternsSize, compileWholePattern } from "../../values/patterns.ts";
import { maxExceptionsSize } from "./applicable-exceptions.ts";
import { defaultRules, type Gate, type GateException, type GateKey, type GateRules, parseGate } from "./gate.ts";
import { findGate, lockGate, putGate, removeGate } from "./queries.ts";

type Context = CallContext<"change_pull_gate">;

/** How many exceptions a gate has at most, since each is compared with every finding that counts. */
const maxExceptions = 200;

/** The longest lifetime of an exception. */
const maxExceptionMs = 366 * 86_400_000;

/** @throws RegistryError `not_found` if the owner has no gate */
export async function getGate({ db }: CallContext, { owner }: NamedOwner): Promise<Gate> {
  const found = await findGate(db, owner);
  if (found === undefined) throw notFound("There is no pull gate");
  return parseGate(found);
}

/** Creates a gate, or changes its rules; its exceptions and keys stay. Rules that the request leaves out get their defaults. */
export async function changeGate(context: Context, named: NamedOwner, rules: Partial<GateRules>): Promise<Gate> {
  const stored = await lockGate(context.db, named.owner);
  const before = stored === undefined ? { exceptions: [], keys: [] } : parseGate(stored);
  const gate = { ...before, rules: { ...defaultRules, ...withoutUndefined(rules) } };
  await storeGate(context, named, gate);
  await context.log("change_pull_gate", { ...named.names, change: "rules", ...gate.rules });
  return gate;
}

/** Deletes a gate with its exceptions and keys. @throws RegistryError `not_found` */
export async function deleteGate(context: Context, named: NamedOwner): Promise<void> {
  if ((await lockGate(context.db, named.owner)) === undefined) throw notFound("There is no pull gate");
  await removeGate(context.db, named.owner);
  await context.log("change_pull_gate", { ...named.names, change: "deleted" });
}

/** An exception to add. */
export interface NewException {
  readonly vulnerability?: string | undefined;
  readonly package?: string | undefined;
  readonly image?: string | undefined;
  readonly reason: string;
  readonly expires: string;
}

/** Adds an exception. @throws RegistryError `not_found` if there is no gate; `invalid_request` */
export async function addException(context: Context, named: NamedOwner, request: NewException): Promise<GateException> {
  const exception = newException(context, request);
  const gate = await getLockedGate(context, named);
  const { exceptions } = gate;
  const valid = exceptions.filter(({ expires }) => Date.parse(expires) > context.now);
  if (valid.length >= maxExceptions) throw invalidRequest(`A pull gate has at most ${maxExceptions} exceptions`);
  const images = [...valid, exception].flatMap(({ image }) => (image === null ? [] : [image]));
  checkPatternsSize("the exceptions of a pull gate", images, maxExceptionsSize);
  const kept = exceptions.length >= maxExceptions ? valid : exceptions;
  await storeGate(context, named, { ...gate, exceptions: [...kept, exception] });
  await context.log("change_pull_gate", { ...named.names, change: "exception added", ...exception });
  return exception;
}

/** Removes an exception. @throws RegistryError `not_found` */
export async function removeException(context: Context, named: NamedOwner, uuid: string): Promise<void> {
  const gate = await getLockedGate(context, named);
  const { exceptions } = gate;
  const removed = exceptions.find((each) => each.uuid === uuid);
  if (removed === undefined) throw notInList("The pull gate has no exception with that uuid");
  await storeGate(context, named, { ...gate, exceptions: exceptions.filter((each) => each !== removed) });
  await context.log("change_pull_gate", { ...named.names, change: "exception removed", ...removed });
}

/** Stores a gate that was locked. */
async function storeGate({ db }: Context, { owner }: NamedOwner, gate: Gate): Promise<void> {
  await putGate(db, owner, JSON.stringify(gate));
}

/** The gate, locked until the transaction ends. @throws RegistryError `not_found` if the owner has none */
async function getLockedGate({ db }: Context, { owner }: NamedOwner): Promise<Gate> {
  const stored = await lockGate(db, owner);
  if (stored === undefined) throw notFound("There is no pull gate");
  return parseGate(stored);
}

function newException({ principal, now }: Context, request: NewException): GateException {
  const { vulnerability, package: name, image, reason, expires } = request;
  if (vulnerability === undefined && name === undefined && image === undefined) {
    throw invalidRequest(
      "An exception needs a vulnerability, a package or an image: without one it would switch the gate off",
    );
  }
  if (image !== undefined) compileWholePattern("image", image);
  if (reason.trim() === "") throw invalidRequest("reason: expected a string that is not empty");
  const expiresAt = parseInstant(expires);
  if (expiresAt === undefined) throw invalidRequest("expires: expected a time (RFC 3339) such as 2027-01-31T12:00:00Z");
  if (expiresAt <= now || expiresAt > now + maxExceptionMs) {
    throw invalidRequest("expires: expected a time in the future, at most 366 days from now");
  }
  const author = accountOf(principal)?.username ?? "";
  const dates = { created: formatIsoSeconds(now), expires: formatIsoSeconds(expiresAt) };
  const about = { vulnerability: vulnerability ?? null, package: name ?? null, image: image ?? null };
  return { uuid: randomUUID(), ...about, reason, author, ...dates };
}

/** A key to name. */
export interface NewKey {
  readonly name: string;
  readonly public_key: string;
}

/** The most keys of a gate, since signatures are checked with each. */
const maxKeys = 20;

/**
 * Names a key: VEX documents that it has signed count for the gate. @throws RegistryError `not_found` if the owner has no gate,
 * `invalid_request`
 */
export async function addKey(context: Context, named: NamedOwner, request: NewKey): Promise<GateKey> {
  const key = newKey(context, request);
  const gate = await getLockedGate(context, named);
  if (gate.keys.length >= maxKeys) throw invalidRequest(`A pull gate has at most ${maxKeys} keys`);
  if (gate.keys.some(({ name }) => name === key.name))
    throw invalidRequest(`The pull gate has a key ${key.name} already`);
  await storeGate(context, named, { ...gate, keys: [...gate.keys, key] });
  await context.log("change_pull_gate", { ...named.names, change: "key added", ...key });
  return key;
}

/** Removes a key: its signatures no longer count. @throws RegistryError `not_found` */
export async function removeKey(context: Context, named: NamedOwner, uuid: string): Promise<void> {
  const gate = await getLockedGate(context, named);
  const removed = gate.keys.find((each) => each.uuid === uuid);
  if (removed === undefined) throw notInList("The pull gate has no key with that uuid");
  await storeGate(context, named, { ...gate, keys: gate.keys.filter((each) => each !== removed) });
  await context.log("change_pull_gate", { ...named.names, change: "key removed", ...removed });
}

function newKey({ principal, now }: Context, { name, public_key }: NewKey): GateKey {
  if (name.trim() === "") throw invalidRequest("name: expected a string that is not empty");
  try {
    parseSigningKey(public_key);
  } catch (error) {
    const reason = error instanceof TypeError ? error.message : "it cannot be read";
    throw invalidRequest(`public_key: expected ${signingKeyForm}: ${reason}`);
  }
  const author = accountOf(principal)?.username ?? "";
  return { uuid: randomUUID(), name: name.trim(), public_key, author, created: formatIsoSeconds(now) };
}
