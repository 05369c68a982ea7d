import { randomUUID } from "node:crypto";
import type { NamedOwner } from "../../access/named-owner.ts";
import { accountOf } from "../../access/principal.ts";
import { parseSigningKey, signingKeyForm } from "../../content/signatures/signing-keys.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { formatIsoSeconds } from "../../values/dates.ts";
import type { GateKey } from "./gate.ts";
import { getLockedGate, storeGate } from "./gates.ts";

type Context = CallContext<"change_pull_gate">;

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
  if (removed === undefined)
    throw notFound("The pull gate has no key with that uuid: GET the gate to see those that it has");
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
