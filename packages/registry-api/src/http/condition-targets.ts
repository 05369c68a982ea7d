import type { TObject } from "typebox";
import type { RegistryOperation } from "../operation.ts";

/** The resource against which the conditions of an operation's requests are judged. */
export interface ConditionTarget {
  /** The operation that reads it; undefined if nothing can be read at the path. */
  readonly read: RegistryOperation | undefined;
  /** Whether a tag in a condition can name its version: it is one for a read, and the declared one for a change. */
  readonly hasVersion: boolean;
}

/** Finds the target of each operation, by the id of the operation. */
export function conditionTargets(operations: readonly RegistryOperation[]): ReadonlyMap<string, ConditionTarget> {
  const byId = new Map(operations.map((each) => [each.id, each]));
  const reads = new Map(operations.filter(canBeRepeated).map((read) => [pathOf(read), read]));
  return new Map(
    operations.map((operation) => {
      const { id, method, version, versionMembers } = operation;
      if (method === "GET") return [id, { read: operation, hasVersion: versionMembers !== undefined }];
      const read = version && (byId.get(version.id) ?? version); // a profile may have changed it
      return [id, { read: read ?? reads.get(pathOf(operation)), hasVersion: read !== undefined }];
    }),
  );
}

/** Whether the handler of a read operation can be called for a request of another operation. */
export function canBeRepeated({ method, prepare, audit, query }: RegistryOperation): boolean {
  const { required = [] } = (query ?? {}) as Partial<TObject>;
  return method === "GET" && prepare === undefined && audit === undefined && required.length === 0;
}

function pathOf({ path }: RegistryOperation): string {
  return path.replace(/\/$/, "");
}
