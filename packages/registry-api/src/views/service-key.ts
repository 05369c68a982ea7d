import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { ServiceKeyTable } from "../store/tables/administration.ts";
import { Avatar, avatarOf } from "./avatar.ts";

const Approval = Type.Object({
  approver: Type.Union([
    Type.Object({ name: Type.String(), username: Type.String(), kind: Type.String(), avatar: Avatar }),
    Type.Null(),
  ]),
  approval_type: Type.String(),
  approved_date: Type.String(),
  notes: Type.String(),
});

const nullable = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);

/** A public key of a program that speaks to the registry. */
export const ServiceKey = Type.Object({
  kid: Type.String({ description: "RFC 7638 thumbprint" }),
  name: Type.String(),
  service: Type.String(),
  jwk: Type.Record(Type.String(), Type.Unknown()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_date: Type.String(),
  expiration_date: nullable("Null: never"),
  rotation_duration: Type.Union([Type.Integer(), Type.Null()]),
  approval: Type.Union([Approval, Type.Null()]),
});
export type ServiceKey = Static<typeof ServiceKey>;

/** A key with the name of who approved it. */
export interface ServiceKeyRow extends Selectable<ServiceKeyTable> {
  readonly approver_name: string | null;
  readonly approver_email: string | null;
}

/** A key as superusers see it. Its dates are in GMT, unlike all others of the API. */
export function serviceKeyView(row: ServiceKeyRow): ServiceKey {
  return {
    kid: row.kid,
    name: row.name,
    service: row.service,
    jwk: JSON.parse(row.jwk) as Record<string, unknown>,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    created_date: gmt(row.created_at),
    expiration_date: row.expires_at === null ? null : gmt(row.expires_at),
    rotation_duration: row.rotation_duration_s,
    approval: approvalOf(row),
  };
}

function approvalOf(row: ServiceKeyRow): ServiceKey["approval"] {
  const { approved_at, approver_name: name, approval_type, approval_notes } = row;
  if (approved_at === null) return null;
  const approver = name && {
    name,
    username: name,
    kind: "user",
    avatar: avatarOf("user", name, row.approver_email),
  };
  return {
    approver: approver || null,
    approval_type: approval_type ?? "",
    approved_date: gmt(approved_at),
    notes: approval_notes ?? "",
  };
}

function gmt(at: number): string {
  return new Date(at).toUTCString();
}
