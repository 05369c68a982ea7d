import { raisedDebianSeverity } from "@plimsoll/core/internal";
import type { Input } from "@plimsoll/http";
import type { AccessRequest } from "@plimsoll/registry/access/access";
import { findAccount } from "@plimsoll/registry/access/queries";
import { RegistryError } from "@plimsoll/registry/errors";
import type { TSchema } from "typebox";
import type { OperationContext } from "../context.ts";
import { ErrorWithStatus } from "../error-with-status.ts";
import type { RegistryOperation } from "../operation.ts";
import type { Feature, SecurityReport } from "../security/security-report.ts";
import type { ImageSecurity } from "../security/shown-security.ts";

/** The response that replaces that of an operation. */
interface OtherAnswer {
  readonly success: RegistryOperation["success"];
  readonly result?: TSchema;
  /** Absent: there is no body. */
  readonly bodyOf?: (input: Input) => unknown;
}

/** The operation with another response, that does not depend on what it did. */
export function withResponse(
  operation: RegistryOperation,
  { success, result, bodyOf }: OtherAnswer,
): RegistryOperation {
  const { result: _, resultModel: __, handle, ...declared } = operation;
  return {
    ...declared,
    success,
    result,
    async handle(input, context) {
      await handle(input, context);
      return bodyOf?.(input);
    },
  };
}

/** The operation with another form of its result. */
export function withResult(
  operation: RegistryOperation,
  { result, formOf }: { readonly result: TSchema | undefined; readonly formOf: (found: never) => unknown },
): RegistryOperation {
  const { resultModel: _, handle, ...declared } = operation;
  return {
    ...declared,
    ...(result && { result }),
    handle: async (input, context) => formOf((await handle(input, context)) as never), // the declaration has its schema
  };
}

type Check = (input: Input, context: OperationContext) => void;

/** The operation with one more check of its input. */
export function withCheck(operation: RegistryOperation, check: Check): RegistryOperation {
  return withInput(operation, (input, context) => {
    check(input, context);
    return input;
  });
}

/** The operation with a changed input. */
export function withInput(
  operation: RegistryOperation,
  ask: (input: Input, context: OperationContext) => Input,
): RegistryOperation {
  return {
    ...operation,
    handle: (input, context) => operation.handle(ask(input, context as OperationContext), context),
  };
}

/** The texts of one refusal. */
export interface OtherText {
  /** Matches the text in the contract's profile. */
  readonly ours: RegExp;
  /** The text of the reference. */
  readonly theirs: string;
  /** The status of the reference. Where absent, it is the same. */
  readonly status?: number;
}

/** The operation with another text of a refusal. The code stays. */
export function withText(operation: RegistryOperation, { ours, theirs, status }: OtherText): RegistryOperation {
  const told = <Args extends readonly unknown[], Value>(run: (...args: Args) => Promise<Value>) => {
    return async (...args: Args): Promise<Value> => {
      try {
        return await run(...args);
      } catch (error) {
        if (!(error instanceof RegistryError && ours.test(error.message))) throw error;
        if (status !== undefined) throw new ErrorWithStatus(error, { message: theirs, status });
        throw new RegistryError(error.code, theirs, { cause: error, details: error.details });
      }
    };
  };
  const { prepare, handle } = operation;
  return { ...operation, handle: told(handle), ...(prepare && { prepare: told(prepare) }) };
}

/** A read operation on organizations that superusers may use for users, too: its subject is then the user. */
export function forUsersToo(operation: RegistryOperation): RegistryOperation {
  const { access } = operation;
  const admit = access.admit as (request: AccessRequest) => Promise<unknown>;
  return {
    ...operation,
    access: {
      ...access,
      async admit(request: AccessRequest) {
        const { orgname = "" } = request.params;
        const user = request.globalRole.isSuperuser ? await findAccount(request.db, orgname, "user") : undefined;
        return user === undefined ? admit(request) : { organization: user };
      },
    } as RegistryOperation["access"],
  };
}

/** A report of an image with the severities of the reference implementation: those of Debian are one level up. */
export function withRaisedSeverities(security: ImageSecurity): ImageSecurity {
  return security.data === null ? security : { ...security, data: raised(security.data) };
}

/** Once for each report, since the same report is returned as long as nothing has changed. */
const known = new WeakMap<SecurityReport, SecurityReport>();

function raised(report: SecurityReport): SecurityReport {
  const found = known.get(report);
  if (found !== undefined) return found;
  const made = { ...report, Layer: { ...report.Layer, Features: report.Layer.Features.map(raiseFeature) } };
  known.set(report, made);
  return made;
}

function raiseFeature(feature: Feature): Feature {
  const { Vulnerabilities } = feature;
  if (Vulnerabilities?.some(isOfDebian) !== true) return feature;
  return { ...feature, Vulnerabilities: Vulnerabilities.map(raiseVulnerability) };
}

type Vulnerability = NonNullable<Feature["Vulnerabilities"]>[number];

function isOfDebian({ Metadata }: Vulnerability): boolean {
  return Metadata.UpdatedBy === "debian";
}

function raiseVulnerability(vulnerability: Vulnerability): Vulnerability {
  if (!isOfDebian(vulnerability)) return vulnerability;
  return { ...vulnerability, Severity: raisedDebianSeverity(vulnerability.Severity) };
}
