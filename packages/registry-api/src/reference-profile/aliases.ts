import type { Input } from "@plimsoll/http";
import { type TSchema, Type } from "typebox";
import type { RegistryOperation } from "../operation.ts";
import { getOrgImmutabilityPolicy, getRepositoryImmutabilityPolicy } from "./content-operations.ts";

/** One of our operations under the name, and maybe the path, of the reference. */
export interface Alias {
  /** The id of our operation. */
  readonly of: string;
  /** The id in the reference. */
  readonly id: string;
  /** Absent: the same path, where the alias replaces our operation. */
  readonly path?: string;
  readonly success?: RegistryOperation["success"];
  readonly result?: TSchema;
  /** Absent: that of our operation. */
  readonly version?: RegistryOperation;
  /** The result in the form of the reference; absent: the same, or none where `success` is 204. */
  readonly formOf?: (found: never, input: Input) => unknown;
}

const Uuid = Type.Object({ uuid: Type.String() });

const uuidOf = (_: never, { params }: Input) => ({ uuid: (params as OfPolicy).policy_uuid });

const deleted = { success: 200, result: Uuid, formOf: uuidOf } as const;

/** All operations that have another name in the reference. */
export const aliases: readonly Alias[] = [
  { of: "listOrganizationImmutabilityPolicies", id: "listOrgImmutabilityPolicies" },
  { of: "createOrganizationImmutabilityPolicy", id: "createOrgImmutabilityPolicy" },
  {
    of: "deleteOrganizationImmutabilityPolicy",
    id: "deleteOrgImmutabilityPolicy",
    version: getOrgImmutabilityPolicy,
    ...deleted,
  },
  {
    of: "deleteRepositoryImmutabilityPolicy",
    id: "deleteRepositoryImmutabilityPolicy",
    version: getRepositoryImmutabilityPolicy,
    ...deleted,
  },
  {
    of: "discoverOrganizationRepositories",
    id: "syncOrgMirrorNow",
    path: "/organization/{orgname}/mirror/sync-now",
    success: 204,
  },
  { of: "deleteOrganizationMirror", id: "deleteOrgMirrorConfig" },
];

/** The operations with their aliases: one at the same path in the place of ours, and others at the end. */
export function withAliases(operations: readonly RegistryOperation[]): readonly RegistryOperation[] {
  const byId = new Map(operations.map((each) => [each.id, each]));
  const renamed = new Map(aliases.filter(({ path }) => path === undefined).map((alias) => [alias.of, alias]));
  const others = aliases.filter(({ path }) => path !== undefined);
  return [
    ...operations.map((each) => applied(each, renamed.get(each.id))),
    ...others.flatMap((alias) => {
      const ours = byId.get(alias.of);
      return ours === undefined ? [] : [applied(ours, alias)];
    }),
  ];
}

function applied(ours: RegistryOperation, alias: Alias | undefined): RegistryOperation {
  if (alias === undefined) return ours;
  const { id, path = ours.path, success = ours.success, version = ours.version, formOf, result: other } = alias;
  const { result = other, resultModel: _, handle, ...declared } = ours;
  if (success !== 204 && formOf === undefined) return { ...ours, id, path };
  return {
    ...declared,
    id,
    path,
    success,
    version,
    result: success !== 204 && result ? (other ?? result) : undefined,
    async handle(input, context) {
      const found = await handle(input, context);
      return formOf?.(found as never, input); // the declaration of our operation has its schema
    },
  };
}

/** The parameter of paths of policies. */
interface OfPolicy {
  readonly policy_uuid: string;
}
