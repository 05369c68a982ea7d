import type { TObject } from "typebox";
import type { RegistryOperation } from "../operation.ts";
import { type ReplacedPart, replacedParts } from "./replaced-part.ts";

/** The resource at the path of an operation, against which the conditions of its requests are judged. */
export interface ConditionTarget {
  /** The operation that reads it; undefined if nothing can be read at the path. */
  readonly read: RegistryOperation | undefined;
  /** Its part with a version; undefined if it has none. */
  readonly part: ReplacedPart | undefined;
  /** Whether the operation replaces or deletes the part. */
  readonly isReplaced: boolean;
}

/** Finds the target of each operation, by the id of the operation. */
export function conditionTargets(operations: readonly RegistryOperation[]): ReadonlyMap<string, ConditionTarget> {
  const parts = replacedParts(operations);
  const reads = new Map(operations.filter(canBeRepeated).map((read) => [pathOf(read), read]));
  return new Map(
    operations.map((operation) => {
      const read = reads.get(pathOf(operation));
      const replaced = parts.get(operation.id);
      const part = replaced ?? (read && parts.get(read.id));
      return [operation.id, { read: part?.read ?? read, part, isReplaced: replaced !== undefined }];
    }),
  );
}

/** Whether the handler of a read operation can be called for a request of another operation. */
function canBeRepeated({ method, prepare, audit, query }: RegistryOperation): boolean {
  const { required = [] } = (query ?? {}) as Partial<TObject>;
  return method === "GET" && prepare === undefined && audit === undefined && required.length === 0;
}

function pathOf({ path }: RegistryOperation): string {
  return path.replace(/\/$/, "");
}
