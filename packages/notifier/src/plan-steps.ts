import { beforeAllOperations } from "./ports.ts";
import { type ProcessedOperation, recordedAt, type UpdateOperation } from "./values/update-operation.ts";

/** How the operations of a new updater are treated: not sent (`baseline`), or sent (`notify`). */
export type FirstSight = "baseline" | "notify";

/** One step: record an operation as the baseline, or compare it with the previous one and send the changes. */
export type Step =
  | { readonly kind: "baseline"; readonly operation: UpdateOperation }
  | { readonly kind: "compare"; readonly previous: string; readonly operation: UpdateOperation };

/**
 * Plans the steps for the operations of one updater, oldest first. Pure.
 *
 * Each operation after the newest processed one is compared with the operation before it, so no change between two polls is missed. If the
 * matcher has deleted the newest processed one, older operations are not sent again. If it has deleted all processed operations before the
 * next poll, the oldest remaining operation becomes the new baseline.
 * @param operations newest first
 * @param firstSight with `baseline`, nothing of a new updater is sent until its next operation; with `notify`, all changes of its operations
 * are sent
 */
export function planSteps(
  operations: readonly UpdateOperation[],
  processed: readonly ProcessedOperation[],
  firstSight: FirstSight,
): readonly Step[] {
  const oldestFirst = operations.toReversed();
  if (processed.length > 0)
    return newOperations(operations, processed)
      .toReversed()
      .map((operation) => stepOf(operation));
  if (firstSight === "baseline") return oldestFirst.map((operation) => ({ kind: "baseline", operation }));
  return oldestFirst.map((operation) => stepOf(operation, beforeAllOperations));

  function stepOf(operation: UpdateOperation, first?: string): Step {
    const previous = operations[operations.indexOf(operation) + 1]?.ref ?? first;
    return previous === undefined ? { kind: "baseline", operation } : { kind: "compare", previous, operation };
  }
}

function newOperations(
  operations: readonly UpdateOperation[],
  processed: readonly ProcessedOperation[],
): readonly UpdateOperation[] {
  const refs = new Set(processed.map(({ ref }) => ref));
  const newestKnown = operations.findIndex(({ ref }) => refs.has(ref));
  if (newestKnown >= 0) return operations.slice(0, newestKnown);
  const last = processed.reduce((latest, { recordedAt }) => Math.max(latest, recordedAt), 0);
  return operations.filter((operation) => recordedAt(operation) > last);
}
