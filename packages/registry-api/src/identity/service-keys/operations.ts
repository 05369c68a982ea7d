import { superusers } from "@plimsoll/registry/access/on-account";
import { findAccountById } from "@plimsoll/registry/access/queries";
import { createKeyPair } from "@plimsoll/registry/crypto/key-pair";
import type { ServiceKeyRow } from "@plimsoll/registry/identity/service-keys/queries";
import {
  addServiceKey,
  approveServiceKey,
  changeServiceKey,
  deleteServiceKey,
  expirationOf,
  getServiceKey,
  listServiceKeys,
  maxExpirationSeconds,
  maxMetadataLength,
} from "@plimsoll/registry/identity/service-keys/service-keys";
import { ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { freeMembers, operation } from "../../operation.ts";
import { InstallUser, installUserView } from "../users/views.ts";

const Approval = Type.Object({
  approver: Type.Union([InstallUser, Type.Null()]),
  approval_type: Type.String(),
  approved_date: Type.String(),
  notes: Type.String(),
});

const nullable = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);

/** A public key of a program that calls the registry. */
const ServiceKey = Type.Object({
  kid: Type.String({ description: "RFC 7638 thumbprint" }),
  name: Type.String(),
  service: Type.String(),
  jwk: Type.Record(Type.String(), Type.Unknown()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_date: Type.String(),
  expiration: Type.Union([Type.Number({ description: "Unix time in seconds" }), Type.Null()]),
  expiration_date: nullable("Null: never"),
  notes: nullable("What was written when the key was approved; null before"),
  rotation_duration: Type.Union([Type.Integer(), Type.Null()]),
  approval: Type.Union([Approval, Type.Null()]),
});
type ServiceKey = Static<typeof ServiceKey>;

/** A key as superusers see it. Its dates are in GMT, unlike all others of the API. */
function serviceKeyView(row: ServiceKeyRow, approver: InstallUser | undefined): ServiceKey {
  return {
    kid: row.kid,
    name: row.name,
    service: row.service,
    jwk: JSON.parse(row.jwk) as Record<string, unknown>,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    created_date: gmt(row.created_at),
    expiration: row.expires_at === null ? null : row.expires_at / 1000,
    expiration_date: row.expires_at === null ? null : gmt(row.expires_at),
    notes: row.approval_notes,
    rotation_duration: row.rotation_duration_s,
    approval: approvalOf(row, approver),
  };
}

function approvalOf(
  { approved_at, approval_type, approval_notes }: ServiceKeyRow,
  approver: InstallUser | undefined,
): ServiceKey["approval"] {
  if (approved_at === null) return null;
  return {
    approver: approver ?? null,
    approval_type: approval_type ?? "",
    approved_date: gmt(approved_at),
    notes: approval_notes ?? "",
  };
}

function gmt(at: number): string {
  return new Date(at).toUTCString();
}

const resource = { tag: "superuser", access: superusers } as const;

const name = Type.String({ maxLength: 255, pattern: "^[\\sa-zA-Z0-9\\-_:/]*$", description: "For people" });
const metadata = freeMembers(maxMetadataLength);
const notes = Type.String({ maxLength: 10_000 });
const expiration = Type.Union([
  Type.Number({ maximum: maxExpirationSeconds, description: "Unix time in seconds" }),
  Type.Null(),
]);

const NewServiceKey = Type.Object({
  service: Type.String({ maxLength: 255, pattern: "^[a-z0-9_]+$" }),
  name: Type.Optional(name),
  metadata: Type.Optional(metadata),
  notes: Type.Optional(notes),
  expiration,
});

const ServiceKeyChange = Type.Object({
  name: Type.Optional(name),
  metadata: Type.Optional(metadata),
  expiration: Type.Optional(expiration),
});

const CreatedServiceKey = Type.Object({
  kid: Type.String(),
  name: Type.String(),
  service: Type.String(),
  public_key: Type.String({ description: "PEM" }),
  private_key: Type.String({ description: "PEM; shown this once" }),
});

const listOperation = operation({
  ...resource,
  id: "listServiceKeys",
  method: "GET",
  path: "/superuser/keys",
  summary: "The keys of programs that speak to the registry.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ keys: Type.Array(ServiceKey), ...nextPage }),
  async handle({ query }, context) {
    const { rows, ...next } = await listServiceKeys(context, query);
    return { keys: await Promise.all(rows.map((key) => show(key, context))), ...next };
  },
});

const createOperation = operation({
  ...resource,
  id: "createServiceKey",
  audit: ["service_key_create", "service_key_approve"],
  method: "POST",
  path: "/superuser/keys",
  summary: "Make a key; its private part is shown once.",
  freshLogin: true,
  body: NewServiceKey,
  success: 201,
  result: CreatedServiceKey,
  async prepare({ body }, { now }) {
    expirationOf(body.expiration ?? undefined, now);
    return createKeyPair();
  },
  async handle({ body, prepared: pair, subject }, context) {
    await addServiceKey(context, pair, { ...body, ...subject, expiration: body.expiration ?? undefined });
    const { kid, publicPem, privatePem } = pair;
    return { kid, name: body.name ?? "", service: body.service, public_key: publicPem, private_key: privatePem };
  },
});

const getOperation = operation({
  ...resource,
  id: "getServiceKey",
  versionMembers: ["name", "metadata", "expiration", "approval"],
  method: "GET",
  path: "/superuser/keys/{kid}",
  summary: "One key.",
  success: 200,
  result: ServiceKey,
  handle: async ({ params }, context) => show(await getServiceKey(context.db, params.kid), context),
});

const changeOperation = operation({
  ...resource,
  id: "updateServiceKey",
  version: getOperation,
  audit: ["service_key_extend", "service_key_modify"],
  method: "PUT",
  path: "/superuser/keys/{kid}",
  summary: "Change a key's name, metadata or expiration.",
  freshLogin: true,
  body: ServiceKeyChange,
  success: 200,
  result: ServiceKey,
  async handle({ params, body }, context) {
    const expiration = body.expiration === null ? "never" : body.expiration;
    return show(await changeServiceKey(context, params.kid, { ...body, expiration }), context);
  },
});

const deleteOperation = operation({
  ...resource,
  id: "deleteServiceKey",
  version: getOperation,
  audit: ["service_key_delete"],
  method: "DELETE",
  path: "/superuser/keys/{kid}",
  summary: "Remove a key.",
  freshLogin: true,
  success: 204,
  handle: ({ params }, context) => deleteServiceKey(context, params.kid),
});

const approveOperation = operation({
  ...resource,
  id: "approveServiceKey",
  version: getOperation,
  audit: ["service_key_approve"],
  method: "POST",
  path: "/superuser/approvedkeys/{kid}",
  summary: "Approve a key that a program has submitted.",
  freshLogin: true,
  body: Type.Object({ notes: Type.Optional(notes) }),
  success: 201,
  result: ServiceKey,
  async handle({ params: { kid = "" }, body, subject: { superuser } }, context) {
    await approveServiceKey(context, kid, { superuser, notes: body.notes ?? "" });
    return show(await getServiceKey(context.db, kid), context);
  },
});

async function show(key: ServiceKeyRow, { db, settings }: OperationContext): Promise<ServiceKey> {
  const approver = key.approver_id === null ? undefined : await findAccountById(db, key.approver_id);
  return serviceKeyView(key, approver && installUserView(approver, settings));
}

/** Operations on service keys. */
export const serviceKeyOperations = [
  listOperation,
  createOperation,
  getOperation,
  changeOperation,
  deleteOperation,
  approveOperation,
];
