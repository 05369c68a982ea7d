import { type Input, withQuery } from "@plimsoll/http";
import { invalidRequest } from "@plimsoll/registry/errors";
import type { RegistryCompatibility } from "@plimsoll/registry/settings";
import { Type } from "typebox";
import type { OperationContext } from "../context.ts";
import { type LogPage, ReferenceLogPage, referenceLogPage } from "../logs/log-pages.ts";
import type { RegistryOperation } from "../operation.ts";
import type { ImageSecurity } from "../security/shown-security.ts";
import { aliases, withAliases } from "./aliases.ts";
import { capabilitiesOperations, contentOperations, pullStatisticsOperations } from "./content-operations.ts";
import { mirrorHealthOperations } from "./mirror-health-operations.ts";
import { organizationMirrorOperations } from "./organization-mirror-operations.ts";
import {
  forUsersToo,
  type OtherText,
  withCheck,
  withInput,
  withRaisedSeverities,
  withResponse,
  withResult,
  withText,
} from "./profile-changes.ts";

/** A difference of the `reference` profile of the management API, for one operation or for all. */
export interface RegistryDifference {
  readonly operation: string;
  readonly contract: string;
  readonly reference: string;
  readonly change?: (operation: RegistryOperation) => RegistryOperation;
}

/** Operations that answer with another status and the same body. */
const otherStatuses = [
  { contract: 201, reference: 200, operations: ["createAppToken", "createInstallUser", "createServiceKey"] },
  {
    contract: 201,
    reference: 200,
    operations: ["createOrganizationApplication", "createOrganizationPrototypePermission"],
  },
  { contract: 201, reference: 200, operations: ["regenerateUserRobotToken", "regenerateOrgRobotToken"] },
  { contract: 201, reference: 200, operations: ["changeRepoVisibility", "restoreTag", "testRepoNotification"] },
  { contract: 201, reference: 200, operations: ["exportUserLogs", "exportOrgLogs", "exportRepoLogs"] },
  { contract: 200, reference: 201, operations: ["createUserRobot", "createOrgRobot"] },
] as const;

/** Operations that answer with another body as well. */
const otherBodies = [
  { operation: "deleteProxyCacheConfig", contract: 204, reference: 201, body: "Deleted" },
  { operation: "cancelRepoBuild", contract: 204, reference: 201, body: "Okay" },
] as const;

const withoutBody = [
  { operation: "syncNow", contract: 201 },
  { operation: "syncCancel", contract: 201 },
  { operation: "updateRepositoryAutoPrunePolicy", contract: 200 },
] as const;

const deletedPolicies = [
  "deleteOrganizationAutoPrunePolicy",
  "deleteRepositoryAutoPrunePolicy",
  "deleteUserAutoPrunePolicy",
] as const;

/** Operations that refuse a missing body although no member of it is required. */
const needingBody = [
  "changeInstallUser",
  "changeOrganization",
  "changeOrganizationDetails",
  "changeOrganizationQuota",
  "changeOrganizationQuotaLimit",
  "changeOrganizationQuotaSuperUser",
  "changeRepoMirrorConfig",
  "changeTag",
  "changeToken",
  "changeUserDetails",
  "changeUserQuotaSuperUser",
  "createOrganizationQuotaSuperUser",
  "createRepositoryAutoPrunePolicy",
  "exportOrgLogs",
  "exportRepoLogs",
  "exportUserLogs",
  "requestRepoBuild",
  "updateOrganizationPrototypePermission",
  "updateRepositoryAutoPrunePolicy",
  "updateServiceKey",
  "updateUserNotification",
] as const;

/** Texts of refusals that programs for the reference compare. */
const otherTexts: readonly (OtherText & { readonly operations: readonly string[] })[] = [
  {
    operations: [
      "createOrganizationAutoPrunePolicy",
      "updateOrganizationAutoPrunePolicy",
      "createRepositoryAutoPrunePolicy",
      "updateRepositoryAutoPrunePolicy",
      "createUserAutoPrunePolicy",
      "updateUserAutoPrunePolicy",
    ],
    ours: /^method: expected/,
    theirs: "Invalid method provided",
  },
  {
    operations: ["createUserRobotFederation", "createOrgRobotFederation"],
    ours: /^issuer "(?!http:).*: expected the address of an issuer/s, // an http address is refused for another reason
    theirs: "Issuer must be a URL (http:// or https://)",
  },
  {
    operations: ["createRepositoryImmutabilityPolicy", "createOrganizationImmutabilityPolicy"],
    ours: /^There is a policy with the same pattern$/,
    theirs: "A policy with the same tag_pattern already exists",
  },
  {
    operations: ["createRepoMirrorConfig"],
    ours: /^The repository has a mirror configuration already$/,
    theirs: "RepoMirrorConfig already exists for this repository.",
    status: 409,
  },
  {
    operations: ["createOrgMirrorConfig"],
    ours: /^The organization has a mirror configuration already$/,
    theirs: "Mirror configuration already exists for this organization",
  },
];

/** Operations that only the reference has. */
export const referenceOperations: readonly RegistryOperation[] = [
  ...capabilitiesOperations,
  ...contentOperations,
  ...mirrorHealthOperations,
  ...organizationMirrorOperations,
  ...pullStatisticsOperations,
];

/** Every difference between the profiles; the table in the documentation is generated from it. */
export const registryDifferences: readonly RegistryDifference[] = [
  {
    operation: "all",
    contract: "OAuth applications get tokens at exactly the address that they registered",
    reference: "they get them at every address below it, too",
  },
  {
    operation: "all",
    contract: "`DELETE /v2/NAME/manifests/DIGEST` is refused (405) while an index needs the manifest",
    reference: "it ends the tags of the manifest, which stays (202); without tags, there is nothing to end (404)",
  },
  ...otherStatuses.flatMap(({ contract, reference, operations }) =>
    operations.map((operation) => ({
      operation,
      contract: `answers ${contract}`,
      reference: `answers ${reference}`,
      change: (each: RegistryOperation) => ({ ...each, success: reference }),
    })),
  ),
  ...otherBodies.map(({ operation, contract, reference, body }) => ({
    operation,
    contract: `answers ${contract} without a body`,
    reference: `answers ${reference} with ${JSON.stringify(body)}`,
    change: (each: RegistryOperation) =>
      withResponse(each, { success: reference, result: Type.Literal(body), bodyOf: () => body }),
  })),
  ...withoutBody.map(({ operation, contract }) => ({
    operation,
    contract: `answers ${contract}`,
    reference: "answers 204 without a body",
    change: (each: RegistryOperation) => withResponse(each, { success: 204 }),
  })),
  ...deletedPolicies.map((operation) => ({
    operation,
    contract: "answers 204 without a body",
    reference: 'answers 200 with {"uuid": …}',
    change: (each: RegistryOperation) =>
      withResponse(each, {
        success: 200,
        result: Type.Object({ uuid: Type.String() }),
        bodyOf: ({ params }) => ({ uuid: (params as { readonly policy_uuid: string }).policy_uuid }),
      }),
  })),
  {
    operation: "all",
    contract: "names in `superusers` and `globalReadonlySuperusers` cannot be signed up for",
    reference: "they can: create these accounts before the registry can be reached by others",
  },
  ...aliases.map(({ of, id, path, success }) => ({
    operation: "all",
    contract: `${of} has this name`,
    reference: `it is ${id}${path === undefined ? "" : ` at \`${path}\``}${success === undefined ? "" : `, and answers ${success}`}`,
  })),
  ...referenceOperations.map(({ id, method, path, summary }) => ({
    operation: "all",
    contract: "this is not there",
    reference: `${id}, \`${method} ${path}\`: ${summary}`,
  })),
  ...needingBody.map((operation) => ({
    operation,
    contract: "a missing body changes nothing",
    reference: "400: Missing JSON body",
    change: (each: RegistryOperation) => ({ ...each, needsBody: true }),
  })),
  ...otherTexts.flatMap(({ operations, ...text }) =>
    operations.map((operation) => ({
      operation,
      contract: "the text of a refusal says what is expected",
      reference: `it is ${JSON.stringify(text.theirs)}${text.status === undefined ? "" : `, with the status ${text.status}`}`,
      change: (each: RegistryOperation) => withText(each, text),
    })),
  ),
  ...["listOrganizationQuota", "getOrganizationQuota", "listOrganizationQuotaLimit", "getOrganizationQuotaLimit"].map(
    (operation) => ({
      operation,
      contract: "is about organizations",
      reference: "superusers may name a user instead, whose limits they set at the same path",
      change: forUsersToo,
    }),
  ),
  ...["listUserLogs", "listOrgLogs", "listRepoLogs", "listAllLogs"].map((operation) => ({
    operation,
    contract: "each entry has ip, performer and namespace",
    reference: "entries of jobs have null as ip and no performer; those about the whole registry have no namespace",
    change: (each: RegistryOperation) =>
      withResult(each, { result: ReferenceLogPage, formOf: (page: LogPage) => referenceLogPage(page) }),
  })),
  {
    operation: "listRepoTags",
    contract: "filter_tag_name with an operator other than like and eq is 400",
    reference: "it filters nothing",
    change: (each) => withInput(each, (input) => withQuery(input, withKnownFilter(input.query as TagQuery))),
  },
  {
    operation: "listRepos",
    contract: "without these parameters, lists all repositories that the caller sees",
    reference: "400: namespace, starred or public are required for this API call",
    change: (each) => withCheck(each, ({ query }) => checkFiltered(query as Readonly<Record<string, unknown>>)),
  },
  {
    operation: "getRepoManifestSecurity",
    contract: "leaves vulnerabilities out if vulnerabilities=false",
    reference: "always includes them",
    change: (each) => withInput(each, (input) => withQuery(input, {})),
  },
  {
    operation: "getRepoManifestSecurity",
    contract: "Debian's unimportant is Negligible, and low, medium and high have these names",
    reference: "each is one level up: Low, Medium, High and Critical",
    change: (each) =>
      withResult(each, { result: each.result, formOf: (found: ImageSecurity) => withRaisedSeverities(found) }),
  },
  ...["changeUserDetails", "changeOrganizationDetails", "changeOrganization"].map((operation) => ({
    operation,
    contract: "tag_expiration_s is any number of seconds",
    reference: "it is one of 0 seconds and 1, 7, 14 and 28 days",
    change: (each: RegistryOperation) => withCheck(each, checkTagExpiration),
  })),
];

/** The operations of a profile. */
export function operationsIn(
  profile: RegistryCompatibility,
  operations: readonly RegistryOperation[],
): readonly RegistryOperation[] {
  if (profile === "contract") return operations;
  const ours = withAliases(operations.map((each) => inRegistryProfile(profile, each)));
  const theirs = new Map(referenceOperations.map((each) => [routeOf(each), inRegistryProfile(profile, each)]));
  const kept = ours.filter((each) => !theirs.has(routeOf(each)));
  return [...kept.map((each) => withServedVersion(each, theirs)), ...theirs.values()];
}

/** The operation with the read as its version that the reference has instead of ours: clients get the `ETag` of that one. */
function withServedVersion(
  operation: RegistryOperation,
  theirs: ReadonlyMap<string, RegistryOperation>,
): RegistryOperation {
  const version = operation.version && theirs.get(routeOf(operation.version));
  return version === undefined ? operation : { ...operation, version };
}

function routeOf({ method, path }: RegistryOperation): string {
  return `${method} ${path}`;
}

/** The operation with the changes of a profile. */
export function inRegistryProfile(profile: RegistryCompatibility, operation: RegistryOperation): RegistryOperation {
  if (profile === "contract") return operation;
  return registryDifferences
    .filter((difference) => difference.operation === operation.id)
    .reduce((changed, { change }) => change?.(changed) ?? changed, operation);
}

interface TagQuery {
  readonly filter_tag_name?: string;
}

function withKnownFilter({ filter_tag_name: filter, ...query }: TagQuery): TagQuery {
  const isKnown = filter !== undefined && (!filter.includes(":") || /^(?:like|eq):/.test(filter));
  return isKnown ? { ...query, filter_tag_name: filter } : query;
}

function checkFiltered({ namespace, starred, public: isPublic }: Readonly<Record<string, unknown>>): void {
  if (namespace || starred || isPublic) return;
  throw invalidRequest("namespace, starred or public are required for this API call");
}

function checkTagExpiration({ body }: Input, { settings }: OperationContext): void {
  const { tag_expiration_s: seconds } = body as { readonly tag_expiration_s?: number };
  if (seconds === undefined || settings.tagExpirationOptionsSeconds.includes(seconds)) return;
  throw invalidRequest("Invalid tag expiration option");
}
