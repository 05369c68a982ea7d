import { beforeAllOperations } from "./ports.ts";
import { type ProcessedOperation, recordedAt, type UpdateOperation } from "./values/update-operation.ts";

/** What becomes of the operations of an updater that is seen for the first time. */
export type FirstSight = "baseline" | "notify";

/** One thing to do: take an operation as known without a word, or tell what it changed. */
export type Step =
  | { readonly kind: "baseline"; readonly operation: UpdateOperation }
  | { readonly kind: "compare"; readonly previous: string; readonly operation: UpdateOperation };

/**
 * What to do about the operations of one updater, oldest first. Pure.
 *
 * Each operation after the newest one that was dealt with is compared with the one before it, so that nothing between two
 * polls is skipped. When the newest one was deleted, what is older than it is not told again. When everything dealt with
 * was forgotten before the next poll, the oldest operation that is left becomes the new baseline.
 * @param operations newest first
 * @param firstSight with `baseline` an updater that was never seen tells nothing until its next operation; with `notify`
 * all that its operations ever brought is told
 */
export function planSteps(
  operations: readonly UpdateOperation[],
  processed: readonly ProcessedOperation[],
  firstSight: FirstSight,
): readonly Step[] {
  const oldestFirst = operations.toReversed();
  if (processed.length > 0)
    return freshOf(operations, processed)
      .toReversed()
      .map((operation) => stepOf(operation));
  if (firstSight === "baseline") return oldestFirst.map((operation) => ({ kind: "baseline", operation }));
  return oldestFirst.map((operation) => stepOf(operation, beforeAllOperations));

  function stepOf(operation: UpdateOperation, first?: string): Step {
    const previous = operations[operations.indexOf(operation) + 1]?.ref ?? first;
    return previous === undefined ? { kind: "baseline", operation } : { kind: "compare", previous, operation };
  }
}

function freshOf(
  operations: readonly UpdateOperation[],
  processed: readonly ProcessedOperation[],
): readonly UpdateOperation[] {
  const refs = new Set(processed.map(({ ref }) => ref));
  const newestKnown = operations.findIndex(({ ref }) => refs.has(ref));
  if (newestKnown >= 0) return operations.slice(0, newestKnown);
  const last = processed.reduce((latest, { recordedAt }) => Math.max(latest, recordedAt), 0);
  return operations.filter((operation) => recordedAt(operation) > last);
}
