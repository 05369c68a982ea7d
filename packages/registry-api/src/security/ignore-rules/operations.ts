import { namedOwner } from "@plimsoll/registry/access/named-owner";
import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository, type RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { addRule, removeRule, viewRules } from "@plimsoll/registry/security/ignore-rules/rules";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { type OperationInput, operation, withoutNull } from "../../operation.ts";

const resource = { tag: "secscan", isOwn: true, feature: "securityScanner" } as const;
const [ofOrganization, ofRepository] = [
  "/organization/{orgname}/ignorerules",
  "/repository/{repository}/ignorerules",
] as const;
const audit = ["change_ignore_rules"] as const;

const instant = (description: string) => Type.String({ format: "date-time", description });
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Rule = Type.Object({
  uuid: Type.String(),
  vulnerability: Type.String({ description: "A name or an alias of the vulnerability" }),
  package: orNull("A package URL, with or without version and qualifiers; null: all packages"),
  image: orNull("The digest of a manifest; null: all images"),
  reason: Type.String(),
  author: Type.String({ description: "The account that added the rule" }),
  created: instant("When the rule was added"),
  expires: instant("When the rule expires: from then on its findings are no longer suppressed"),
  has_expired: Type.Boolean(),
  last_used: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description: "The day on which the rule last suppressed a finding; null: it never did",
  }),
});
const Rules = Type.Object({ rules: Type.Array(Rule, { description: "The latest first" }) });

const optional = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength }), Type.Null()], { description }));
const AddedRule = Type.Object({
  vulnerability: Type.String({ minLength: 1, maxLength: 256, description: "A name or an alias" }),
  package: optional(1024, "pkg:deb/debian/zlib1g: version and qualifiers may be left out; absent: all packages"),
  image: optional(256, "The digest of a manifest, or of an index that lists it; absent: all images"),
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
  expires: Type.String({ maxLength: 30, description: "2027-01-31T12:00:00Z, at most 366 days from now" }),
});

type Subject = OrganizationSubject | RepositorySubject;

type Context = OperationContext<"change_ignore_rules">;
type OfRule = { readonly rule_uuid: string };

const list = ({ subject }: OperationInput<Subject>, context: OperationContext) =>
  viewRules(context, namedOwner(subject));

const add = ({ subject, body }: OperationInput<Subject, unknown, Static<typeof AddedRule>>, context: Context) =>
  addRule(context, namedOwner(subject), withoutNull(body));

const remove = ({ subject, params }: OperationInput<Subject, unknown, unknown, OfRule>, context: Context) =>
  removeRule(context, namedOwner(subject), params.rule_uuid);

/** The operations on ignore rules. */
export const ignoreRuleOperations = [
  operation({
    ...resource,
    id: "listOrganizationIgnoreRules",
    method: "GET",
    path: ofOrganization,
    summary: "The ignore rules of an organization, which suppress findings in all of its images.",
    access: onOrganization("member"),
    success: 200,
    result: Rules,
    handle: list,
  }),
  operation({
    ...resource,
    id: "addOrganizationIgnoreRule",
    audit,
    method: "POST",
    path: ofOrganization,
    summary: "Suppress a vulnerability in all images of an organization for a time.",
    access: onOrganization("admin"),
    body: AddedRule,
    success: 201,
    result: Rule,
    handle: add,
  }),
  operation({
    ...resource,
    id: "removeOrganizationIgnoreRule",
    audit,
    method: "DELETE",
    path: `${ofOrganization}/{rule_uuid}`,
    summary: "Remove an ignore rule: what it suppressed is a finding again.",
    access: onOrganization("admin"),
    success: 204,
    handle: remove,
  }),
  operation({
    ...resource,
    id: "listRepositoryIgnoreRules",
    method: "GET",
    path: ofRepository,
    summary: "The ignore rules of a repository, without those of its organization.",
    access: onRepository("read"),
    success: 200,
    result: Rules,
    handle: list,
  }),
  operation({
    ...resource,
    id: "addRepositoryIgnoreRule",
    audit,
    method: "POST",
    path: ofRepository,
    summary: "Suppress a vulnerability in the images of a repository for a time.",
    access: onRepository("admin"),
    body: AddedRule,
    success: 201,
    result: Rule,
    handle: add,
  }),
  operation({
    ...resource,
    id: "removeRepositoryIgnoreRule",
    audit,
    method: "DELETE",
    path: `${ofRepository}/{rule_uuid}`,
    summary: "Remove an ignore rule: what it suppressed is a finding again.",
    access: onRepository("admin"),
    success: 204,
    handle: remove,
  }),
];
