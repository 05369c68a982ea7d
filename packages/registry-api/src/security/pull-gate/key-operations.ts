import { namedOwner } from "@plimsoll/registry/access/named-owner";
import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import type { CallContext } from "@plimsoll/registry/context";
import { GateKey } from "@plimsoll/registry/security/pull-gate/gate";
import { addKey, type NewKey, removeKey } from "@plimsoll/registry/security/pull-gate/gates";
import { Type } from "typebox";
import { type OperationInput, operation } from "../../operation.ts";
import { audit, ofOrganization, ofRepository, resource } from "./paths.ts";

const AddedKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: "How decisions name the key" }),
  public_key: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: "ECDSA, Ed25519 or RSA in PEM, such as `cosign.pub`",
  }),
});

type Subject = OrganizationSubject | RepositorySubject;

type Context = CallContext<"change_pull_gate">;

function name({ subject, body }: OperationInput<Subject, unknown, NewKey>, context: Context) {
  return addKey(context, namedOwner(subject), body);
}

type OfKey = { readonly key_uuid: string };

function forget({ subject, params }: OperationInput<Subject, unknown, unknown, OfKey>, context: Context) {
  return removeKey(context, namedOwner(subject), params.key_uuid);
}

/** Whose signatures of VEX documents count for a gate. */
export const gateKeyOperations = [
  operation({
    ...resource,
    id: "addOrganizationPullGateKey",
    audit,
    method: "POST",
    path: `${ofOrganization}/keys`,
    summary: "Let VEX documents count for the gate of an organization if a key has signed them.",
    access: onOrganization("admin"),
    body: AddedKey,
    success: 201,
    result: GateKey,
    handle: name,
  }),
  operation({
    ...resource,
    id: "removeOrganizationPullGateKey",
    audit,
    method: "DELETE",
    path: `${ofOrganization}/keys/{key_uuid}`,
    summary: "Remove such a key: its signatures no longer count.",
    access: onOrganization("admin"),
    success: 204,
    handle: forget,
  }),
  operation({
    ...resource,
    id: "addRepositoryPullGateKey",
    audit,
    method: "POST",
    path: `${ofRepository}/keys`,
    summary: "Let VEX documents count for the gate of a repository if a key has signed them.",
    access: onRepository("admin"),
    body: AddedKey,
    success: 201,
    result: GateKey,
    handle: name,
  }),
  operation({
    ...resource,
    id: "removeRepositoryPullGateKey",
    audit,
    method: "DELETE",
    path: `${ofRepository}/keys/{key_uuid}`,
    summary: "Remove such a key: its signatures no longer count.",
    access: onRepository("admin"),
    success: 204,
    handle: forget,
  }),
];
