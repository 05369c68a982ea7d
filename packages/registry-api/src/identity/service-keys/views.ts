import type { ServiceKeyRow } from "@plimsoll/registry/identity/service-keys/queries";
import { type Static, Type } from "typebox";
import { InstallUser } from "../users/views.ts";

const Approval = Type.Object({
  approver: Type.Union([InstallUser, Type.Null()]),
  approval_type: Type.String(),
  approved_date: Type.String(),
  notes: Type.String(),
});

const nullable = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);

/** A public key of a program that calls the registry. */
export const ServiceKey = Type.Object({
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
export type ServiceKey = Static<typeof ServiceKey>;

/** A key as superusers see it. Its dates are in GMT, unlike all others of the API. */
export function serviceKeyView(row: ServiceKeyRow, approver: InstallUser | undefined): ServiceKey {
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
