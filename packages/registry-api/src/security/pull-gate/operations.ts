import { severities } from "@plimsoll/core/severity";
import { namedOwner } from "@plimsoll/registry/access/named-owner";
import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { patternsOf } from "@plimsoll/registry/security/pull-gate/applicable-exceptions";
import { GateException, GateKey, GateRules, gateOwners } from "@plimsoll/registry/security/pull-gate/gate";
import {
  addException,
  changeGate,
  deleteGate,
  getGate,
  removeException,
} from "@plimsoll/registry/security/pull-gate/gates";
import { problemOf } from "@plimsoll/registry/values/patterns";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { type OperationInput, operation, withoutNull } from "../../operation.ts";
import { gateKeyOperations } from "./key-operations.ts";
import { audit, ofOrganization, ofRepository, resource } from "./paths.ts";
import { previewGate, viewManifestGate } from "./view-manifest-gate.ts";

const Gate = Type.Object({
  rules: GateRules,
  exceptions: Type.Array(GateException),
  keys: Type.Array(GateKey, { description: "VEX documents count for the gate if one of them has signed them" }),
});
const ChangedRules = Type.Partial(GateRules, {
  description: "Defaults: enforce, pending images pass, findings count from Critical on",
});
const text = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], { description }));
const AddedException = Type.Object({
  vulnerability: text("A name or an alias; absent: all"),
  package: text("The name of a package; absent: all"),
  image: text(
    "A regular expression in the syntax of RE2 for the whole of NAMESPACE/NAME:TAG or NAMESPACE/NAME@DIGEST; absent: all",
  ),
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
  expires: Type.String({ maxLength: 30, description: "2027-01-31T12:00:00Z, at most 366 days from now" }),
});

const CountingStatements = Type.Object({
  document: Type.String({ description: "The digest of the VEX document" }),
  by: Type.String({ description: "The account that has attached it, or the key that has signed it" }),
});
const IgnoredStatements = Type.Object({
  document: Type.String({ description: "The digest of the VEX document" }),
  reason: Type.String({ description: "Why it does not count" }),
});
const Opinion = Type.Object({
  gate: Type.Enum([...gateOwners]),
  verdict: Type.Enum(["allow", "deny", "pending"]),
  findings: Type.Integer({ description: "How many count" }),
  worst: Type.Optional(Type.Enum([...severities])),
  vulnerabilities: Type.Array(Type.String(), { description: "The first three of them" }),
  missing: Type.Optional(Type.String({ description: "Why it is pending" })),
  statements: Type.Optional(
    Type.Array(CountingStatements, { description: "The attached documents that let findings pass" }),
  ),
  ignored_statements: Type.Optional(
    Type.Array(IgnoredStatements, { description: "Attached documents that would let findings pass if they counted" }),
  ),
});
const Standing = Type.Object({
  counts: Type.Boolean(),
  by: Type.Optional(Type.String({ description: "By whose right: an account or a key" })),
  reason: Type.Optional(Type.String({ description: "Why it does not count" })),
});
const JudgedDocument = Type.Object({
  document: Type.String({ description: "The digest of the VEX document" }),
  artifact: Type.String({ description: "The digest of the manifest that attaches it" }),
  organization: Standing,
  repository: Standing,
});
const PreviewedTag = Type.Object({
  name: Type.String(),
  manifest_digest: Type.String(),
  would_deny: Type.Boolean({ description: "Whether a gate would refuse it if all were enforced" }),
  denied: Type.Boolean({ description: "Whether it is refused now" }),
  opinions: Type.Array(Opinion, {
    description: "What each gate says; none of an image index, whose images are judged each",
  }),
});

type Subject = OrganizationSubject | RepositorySubject;

type Context = OperationContext<"change_pull_gate">;

async function get({ subject }: OperationInput<Subject>, context: OperationContext) {
  return shown(await getGate(context, namedOwner(subject)));
}

async function change({ subject, body }: OperationInput<Subject, unknown, Partial<GateRules>>, context: Context) {
  return shown(await changeGate(context, namedOwner(subject), body));
}

function remove({ subject }: OperationInput<Subject>, context: Context) {
  return deleteGate(context, namedOwner(subject));
}

function add({ subject, body }: OperationInput<Subject, unknown, Static<typeof AddedException>>, context: Context) {
  return addException(context, namedOwner(subject), withoutNull(body));
}

type OfException = { readonly exception_uuid: string };

function removeOne({ subject, params }: OperationInput<Subject, unknown, unknown, OfException>, context: Context) {
  return removeException(context, namedOwner(subject), params.exception_uuid);
}

function shown({ rules, exceptions, keys }: Awaited<ReturnType<typeof getGate>>) {
  const patterns = patternsOf(exceptions);
  return {
    rules,
    keys: [...keys],
    exceptions: exceptions.map((each) => ({
      ...each,
      problem: each.image === null ? undefined : problemOf(patterns.get(each.image)),
    })),
  };
}

const getOrganizationPullGate = operation({
  ...resource,
  id: "getOrganizationPullGate",
  versionMembers: ["rules"],
  method: "GET",
  path: ofOrganization,
  summary: "The pull gate of an organization.",
  access: onOrganization("member"),
  success: 200,
  result: Gate,
  handle: get,
});

const getRepositoryPullGate = operation({
  ...resource,
  id: "getRepositoryPullGate",
  versionMembers: ["rules"],
  method: "GET",
  path: ofRepository,
  summary: "The pull gate of a repository, without that of its organization.",
  access: onRepository("read"),
  success: 200,
  result: Gate,
  handle: get,
});

/** Which images may be pulled. */
export const pullGateOperations = [
  getOrganizationPullGate,
  operation({
    ...resource,
    id: "changeOrganizationPullGate",
    version: getOrganizationPullGate,
    audit,
    method: "PUT",
    path: ofOrganization,
    summary: "Create or change the pull gate of an organization; exceptions and keys stay.",
    access: onOrganization("admin"),
    body: ChangedRules,
    success: 200,
    result: Gate,
    handle: change,
  }),
  operation({
    ...resource,
    id: "deleteOrganizationPullGate",
    version: getOrganizationPullGate,
    audit,
    method: "DELETE",
    path: ofOrganization,
    summary: "Let every image of an organization be pulled, as far as its repositories do not say otherwise.",
    access: onOrganization("admin"),
    success: 204,
    handle: remove,
  }),
  operation({
    ...resource,
    id: "addOrganizationPullGateException",
    audit,
    method: "POST",
    path: `${ofOrganization}/exceptions`,
    summary: "Let findings or images pass the gate of an organization for a time.",
    access: onOrganization("admin"),
    body: AddedException,
    success: 201,
    result: GateException,
    handle: add,
  }),
  operation({
    ...resource,
    id: "removeOrganizationPullGateException",
    audit,
    method: "DELETE",
    path: `${ofOrganization}/exceptions/{exception_uuid}`,
    summary: "End such an exception.",
    access: onOrganization("admin"),
    success: 204,
    handle: removeOne,
  }),
  getRepositoryPullGate,
  operation({
    ...resource,
    id: "changeRepositoryPullGate",
    version: getRepositoryPullGate,
    audit,
    method: "PUT",
    path: ofRepository,
    summary: "Create or change the pull gate of a repository; exceptions and keys stay.",
    access: onRepository("admin"),
    body: ChangedRules,
    success: 200,
    result: Gate,
    handle: change,
  }),
  operation({
    ...resource,
    id: "deleteRepositoryPullGate",
    version: getRepositoryPullGate,
    audit,
    method: "DELETE",
    path: ofRepository,
    summary: "Take the gate of a repository away; that of its organization stays.",
    access: onRepository("admin"),
    success: 204,
    handle: remove,
  }),
  operation({
    ...resource,
    id: "addRepositoryPullGateException",
    audit,
    method: "POST",
    path: `${ofRepository}/exceptions`,
    summary: "Let findings or images pass the gate of a repository for a time.",
    access: onRepository("admin"),
    body: AddedException,
    success: 201,
    result: GateException,
    handle: add,
  }),
  operation({
    ...resource,
    id: "removeRepositoryPullGateException",
    audit,
    method: "DELETE",
    path: `${ofRepository}/exceptions/{exception_uuid}`,
    summary: "End such an exception.",
    access: onRepository("admin"),
    success: 204,
    handle: removeOne,
  }),
  operation({
    ...resource,
    id: "previewRepositoryPullGate",
    method: "GET",
    path: `${ofRepository}/preview`,
    summary: "The decision of the pull gates on each tag of a repository, and its reasons.",
    access: onRepository("read"),
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Default: 20" })),
    }),
    success: 200,
    result: Type.Object({ tags: Type.Array(PreviewedTag), page: Type.Integer(), has_additional: Type.Boolean() }),
    handle: ({ subject: { repository }, query: { page = 1, limit = 20 } }, context) =>
      previewGate(context, repository, { page, limit }),
  }),
  operation({
    ...resource,
    id: "getManifestPullGate",
    method: "GET",
    path: "/repository/{repository}/manifest/{manifestref}/pullgate",
    summary: "The decision of the pull gates on an image, and which of its VEX documents count for them.",
    about: { manifestref: "The digest of the manifest, or a tag" },
    access: onRepository("read"),
    success: 200,
    result: Type.Object({ opinions: Type.Array(Opinion), documents: Type.Array(JudgedDocument) }),
    handle: ({ subject: { repository }, params: { manifestref: reference } }, context) =>
      viewManifestGate(context, { repository, reference }, context.request.signal),
  }),
  ...gateKeyOperations,
];
