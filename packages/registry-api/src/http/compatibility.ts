import { type Input, withQuery } from "@plimsoll/http";
import { type TSchema, Type } from "typebox";
import type { OperationContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import type { RegistryOperation } from "../operation.ts";
import type { RegistryCompatibility } from "../settings.ts";

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
    reference: "it ends the tags of the manifest, which stays (202)",
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
  ...["changeUserDetails", "changeOrganizationDetails", "changeOrganization"].map((operation) => ({
    operation,
    contract: "tag_expiration_s is any number of seconds",
    reference: "it is one of 0 seconds and 1, 7, 14 and 28 days",
    change: (each: RegistryOperation) => withCheck(each, checkTagExpiration),
  })),
];

/** The operation with the changes of a profile. */
export function inRegistryProfile(profile: RegistryCompatibility, operation: RegistryOperation): RegistryOperation {
  if (profile === "contract") return operation;
  return registryDifferences
    .filter((difference) => difference.operation === operation.id)
    .reduce((changed, { change }) => change?.(changed) ?? changed, operation);
}

/** The response that replaces that of an operation. */
interface OtherAnswer {
  readonly success: RegistryOperation["success"];
  readonly result?: TSchema;
  /** Absent: there is no body. */
  readonly bodyOf?: (input: Input) => unknown;
}

function withResponse(operation: RegistryOperation, { success, result, bodyOf }: OtherAnswer): RegistryOperation {
  const { result: _, resultModel: __, handle, ...declared } = operation;
  return {
    ...declared,
    success,
    ...(result && { result }),
    async handle(input, context) {
      await handle(input, context);
      return bodyOf?.(input);
    },
  };
}

type Check = (input: Input, context: OperationContext) => void;

function withCheck(operation: RegistryOperation, check: Check): RegistryOperation {
  return withInput(operation, (input, context) => {
    check(input, context);
    return input;
  });
}

/** The operation with a changed input. */
function withInput(
  operation: RegistryOperation,
  ask: (input: Input, context: OperationContext) => Input,
): RegistryOperation {
  return {
    ...operation,
    handle: (input, context) => operation.handle(ask(input, context as OperationContext), context),
  };
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
