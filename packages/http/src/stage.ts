import type { Exchange } from "./exchange.ts";
import type { Operation } from "./operation.ts";

/** The phases of every API, in their order. Routing comes before them; the response is written in the last one. */
export const phases = ["identify", "feature", "admit", "read", "prepare", "transaction", "write"] as const;

/** One of {@link phases}. */
export type Phase = (typeof phases)[number];

/** Returned by a step that has answered the request: no later step runs. */
export const answered = Symbol("answered");

/** The work of a stage for one request. Throws to reject it. */
export type Step<State> = (
  exchange: Exchange<State>,
) => undefined | typeof answered | Promise<undefined | typeof answered>;

/** A stage in the processing of a request. */
export interface Stage<State = unknown, Each extends Operation = Operation> {
  readonly phase: Phase;
  /** Called once for an operation, when it is registered; undefined if the stage has nothing to do for it. */
  readonly stepFor: (operation: Each) => Step<State> | undefined;
}

/** The steps of an operation in the order of the phases; those of one phase in the order of the list. */
export function stepsOf<State, Each extends Operation>(
  operation: Each,
  stages: readonly Stage<State, Each>[],
): readonly Step<State>[] {
  return phases.flatMap((phase) => {
    const inPhase = stages.filter((stage) => stage.phase === phase);
    if (phase === "transaction" && inPhase.length === 0) return [handleStep(operation)];
    return inPhase.flatMap(({ stepFor }) => stepFor(operation) ?? []);
  });
}

/** The step for an API without transactions. */
function handleStep(operation: Operation): Step<unknown> {
  return (exchange) =>
    operation.handle(exchange, undefined).then((result) => {
      exchange.result = result;
      return undefined;
    });
}
