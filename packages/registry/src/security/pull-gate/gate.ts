import { severities } from "@plimsoll/core/severity";
import { type Static, Type } from "typebox";

/** The rules by which a gate refuses images. */
export const GateRules = Type.Object({
  mode: Type.Enum(["enforce", "dry_run"], {
    description: "dry_run: nothing is refused, but the usage log has what would be refused",
  }),
  pending: Type.Enum(["allow", "deny"], {
    description:
      "What becomes of images that are not scanned yet, could not be read, or for which advisories are missing",
  }),
  severity: Type.Union([Type.Enum([...severities]), Type.Null()], {
    description: "Findings at or above it count; null: severity alone does not count",
  }),
  known_exploited: Type.Boolean({
    description: "Findings that are known to be exploited count, whatever their severity",
  }),
  epss: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
    description: "Findings count whose exploit is at least so likely within 30 days, whatever their severity",
  }),
  only_fixed: Type.Boolean({ description: "Findings without a known fix do not count" }),
  grace_days: Type.Integer({
    minimum: 0,
    maximum: 3650,
    description:
      "Findings do not count for so many days after their advisory was published, where it says when that was",
  }),
});
export type GateRules = Static<typeof GateRules>;

/** Findings or images that a gate lets pass for a time. */
export const GateException = Type.Object({
  uuid: Type.String(),
  vulnerability: Type.Union([Type.String(), Type.Null()], { description: "A name or an alias; null: all" }),
  package: Type.Union([Type.String(), Type.Null()], { description: "The name of a package; null: all" }),
  image: Type.Union([Type.String(), Type.Null()], {
    description:
      "A regular expression in the syntax of RE2 that describes the whole of NAMESPACE/NAME:TAG or NAMESPACE/NAME@DIGEST; null: all",
  }),
  reason: Type.String(),
  author: Type.String({ description: "The account that added it" }),
  created: Type.String({ format: "date-time" }),
  expires: Type.String({ format: "date-time" }),
  problem: Type.Optional(
    Type.String({
      description: "Only where the gate is read: why the pattern cannot be used; the exception is for no image",
    }),
  ),
});
export type GateException = Static<typeof GateException>;

/** A key by which a gate recognizes VEX documents that count for it. */
export const GateKey = Type.Object({
  uuid: Type.String(),
  name: Type.String({ description: "How decisions name the key" }),
  public_key: Type.String({ description: "In PEM" }),
  author: Type.String({ description: "The account that added it" }),
  created: Type.String({ format: "date-time" }),
});
export type GateKey = Static<typeof GateKey>;

/** The owners of gates: an image has to pass the gates of both. */
export const gateOwners = ["organization", "repository"] as const;

/** One of {@link gateOwners}. */
export type GateOwner = (typeof gateOwners)[number];

/** A gate as it is stored. */
export interface Gate {
  readonly rules: GateRules;
  readonly exceptions: readonly GateException[];
  readonly keys: readonly GateKey[];
}

/** The default rules. */
export const defaultRules: GateRules = {
  mode: "enforce",
  pending: "allow",
  severity: "Critical",
  known_exploited: false,
  epss: null,
  only_fixed: false,
  grace_days: 0,
};

/** Parses a stored gate. An older release has stored gates without keys. */
export function parseGate(json: string): Gate {
  return { keys: [], ...(JSON.parse(json) as Omit<Gate, "keys"> & Partial<Pick<Gate, "keys">>) };
}
