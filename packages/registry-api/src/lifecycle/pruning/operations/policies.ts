/**
 * Auto-prune policies of organizations, repositories and users: the same five operations for three owners. The file is long
 * because each id and path is written where it can be found.
 */
import { type CallerSubject, onSelf } from "@plimsoll/registry/access/on-account";
import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  type PolicyEntry,
  updatePolicy,
} from "@plimsoll/registry/lifecycle/pruning/prune-policies";
import type { PruneOwner } from "@plimsoll/registry/lifecycle/pruning/queries";
import { ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { type OperationInput, operation } from "../../../operation.ts";
import { PartialPolicy, Policy, PrunePolicy, prunePolicyView } from "../views.ts";

const Policies = Type.Object({ policies: Type.Array(PrunePolicy), ...nextPage });
const PolicyId = Type.Object({ uuid: Type.String() });

const shared = { tag: "policy", feature: "autoPrune" } as const;
const ofOrganization = { ...shared, access: onOrganization("admin") } as const;
const ofRepository = { ...shared, access: onRepository("admin") } as const;
const ofUser = { ...shared, access: onSelf() } as const;

type OfPolicy = { readonly policy_uuid: string };

type Subject = OrganizationSubject | RepositorySubject | CallerSubject;

function ownerOf(subject: Subject): PruneOwner {
  if ("repository" in subject) {
    const { namespace_id: namespaceId, namespace, id, name } = subject.repository;
    return { namespaceId, namespace, repository: { id, name } };
  }
  const { id, username } = "organization" in subject ? subject.organization : subject.account;
  return { namespaceId: id, namespace: username };
}

async function list({ subject, query }: OperationInput<Subject, ListPageQuery>, context: OperationContext) {
  const { rows, ...next } = await listPolicies(context, ownerOf(subject), query);
  return { policies: rows.map(prunePolicyView), ...next };
}

function create(
  { subject, body }: OperationInput<Subject, unknown, PartialPolicy>,
  context: OperationContext<PolicyEntry<"create">>,
) {
  return createPolicy(context, ownerOf(subject), body);
}

async function get({ subject, params }: OperationInput<Subject, unknown, unknown, OfPolicy>, { db }: OperationContext) {
  return prunePolicyView(await getPolicy(db, ownerOf(subject), params.policy_uuid));
}

type Change = OperationInput<Subject, unknown, PartialPolicy, OfPolicy>;

function update({ subject, params, body }: Change, context: OperationContext<PolicyEntry<"update">>) {
  return updatePolicy(context, ownerOf(subject), { id: params.policy_uuid, request: body });
}

function remove(
  { subject, params }: OperationInput<Subject, unknown, unknown, OfPolicy>,
  context: OperationContext<PolicyEntry<"delete">>,
) {
  return deletePolicy(context, ownerOf(subject), params.policy_uuid);
}

/** The kinds of log entries differ between policies of namespaces and of repositories. */
const entries = {
  create: ["create_namespace_autoprune_policy", "create_repository_autoprune_policy"],
  update: ["update_namespace_autoprune_policy", "update_repository_autoprune_policy"],
  delete: ["delete_namespace_autoprune_policy", "delete_repository_autoprune_policy"],
} as const;

const getOrganizationAutoPrunePolicy = operation({
  ...ofOrganization,
  id: "getOrganizationAutoPrunePolicy",
  versionMembers: ["method", "value", "tagPattern", "tagPatternMatches"],
  method: "GET",
  path: "/organization/{orgname}/autoprunepolicy/{policy_uuid}",
  summary: "One of these rules.",
  success: 200,
  result: PrunePolicy,
  handle: get,
});

const getRepositoryAutoPrunePolicy = operation({
  ...ofRepository,
  id: "getRepositoryAutoPrunePolicy",
  versionMembers: ["method", "value", "tagPattern", "tagPatternMatches"],
  method: "GET",
  path: "/repository/{repository}/autoprunepolicy/{policy_uuid}",
  summary: "One of these rules.",
  success: 200,
  result: PrunePolicy,
  handle: get,
});

const getUserAutoPrunePolicy = operation({
  ...ofUser,
  id: "getUserAutoPrunePolicy",
  versionMembers: ["method", "value", "tagPattern", "tagPatternMatches"],
  method: "GET",
  path: "/user/autoprunepolicy/{policy_uuid}",
  summary: "One of these rules.",
  success: 200,
  result: PrunePolicy,
  handle: get,
});

/** The rules that remove tags. */
export const prunePolicyOperations = [
  operation({
    ...ofOrganization,
    id: "createOrganizationAutoPrunePolicy",
    keeps: "prunePolicies",
    audit: entries.create,
    method: "POST",
    path: "/organization/{orgname}/autoprunepolicy/",
    summary: "Add a rule that removes tags from an organization's repositories.",
    body: Policy,
    success: 201,
    result: PolicyId,
    handle: create,
  }),
  operation({
    ...ofOrganization,
    id: "listOrganizationAutoPrunePolicies",
    method: "GET",
    path: "/organization/{orgname}/autoprunepolicy/",
    summary: "The rules that remove tags from an organization's repositories.",
    query: ListPageQuery,
    success: 200,
    result: Policies,
    handle: list,
  }),
  getOrganizationAutoPrunePolicy,
  operation({
    ...ofOrganization,
    id: "updateOrganizationAutoPrunePolicy",
    version: getOrganizationAutoPrunePolicy,
    audit: entries.update,
    method: "PUT",
    path: "/organization/{orgname}/autoprunepolicy/{policy_uuid}",
    summary: "Change one of these rules.",
    body: Policy,
    success: 204,
    handle: update,
  }),
  operation({
    ...ofOrganization,
    id: "deleteOrganizationAutoPrunePolicy",
    version: getOrganizationAutoPrunePolicy,
    audit: entries.delete,
    method: "DELETE",
    path: "/organization/{orgname}/autoprunepolicy/{policy_uuid}",
    summary: "Remove one of these rules.",
    success: 204,
    handle: remove,
  }),
  operation({
    ...ofRepository,
    id: "createRepositoryAutoPrunePolicy",
    keeps: "prunePolicies",
    audit: entries.create,
    method: "POST",
    path: "/repository/{repository}/autoprunepolicy/",
    summary: "Add a rule that removes tags from a repository.",
    body: PartialPolicy,
    success: 201,
    result: PolicyId,
    handle: create,
  }),
  operation({
    ...ofRepository,
    id: "listRepositoryAutoPrunePolicies",
    method: "GET",
    path: "/repository/{repository}/autoprunepolicy/",
    summary: "The rules that remove tags from a repository.",
    query: ListPageQuery,
    success: 200,
    result: Policies,
    handle: list,
  }),
  getRepositoryAutoPrunePolicy,
  operation({
    ...ofRepository,
    id: "updateRepositoryAutoPrunePolicy",
    version: getRepositoryAutoPrunePolicy,
    audit: entries.update,
    method: "PUT",
    path: "/repository/{repository}/autoprunepolicy/{policy_uuid}",
    summary: "Change one of these rules.",
    body: PartialPolicy,
    success: 200,
    result: PolicyId,
    async handle(input, context) {
      await update(input, context);
      return { uuid: input.params.policy_uuid };
    },
  }),
  operation({
    ...ofRepository,
    id: "deleteRepositoryAutoPrunePolicy",
    version: getRepositoryAutoPrunePolicy,
    audit: entries.delete,
    method: "DELETE",
    path: "/repository/{repository}/autoprunepolicy/{policy_uuid}",
    summary: "Remove one of these rules.",
    success: 204,
    handle: remove,
  }),
  operation({
    ...ofUser,
    id: "createUserAutoPrunePolicy",
    keeps: "prunePolicies",
    audit: entries.create,
    method: "POST",
    path: "/user/autoprunepolicy/",
    summary: "Add a rule that removes tags from the user's repositories.",
    body: Policy,
    success: 201,
    result: PolicyId,
    handle: create,
  }),
  operation({
    ...ofUser,
    id: "listUserAutoPrunePolicies",
    method: "GET",
    path: "/user/autoprunepolicy/",
    summary: "The rules that remove tags from the user's repositories.",
    query: ListPageQuery,
    success: 200,
    result: Policies,
    handle: list,
  }),
  getUserAutoPrunePolicy,
  operation({
    ...ofUser,
    id: "updateUserAutoPrunePolicy",
    version: getUserAutoPrunePolicy,
    audit: entries.update,
    method: "PUT",
    path: "/user/autoprunepolicy/{policy_uuid}",
    summary: "Change one of these rules.",
    body: Policy,
    success: 204,
    handle: update,
  }),
  operation({
    ...ofUser,
    id: "deleteUserAutoPrunePolicy",
    version: getUserAutoPrunePolicy,
    audit: entries.delete,
    method: "DELETE",
    path: "/user/autoprunepolicy/{policy_uuid}",
    summary: "Remove one of these rules.",
    success: 204,
    handle: remove,
  }),
];
