import type { UseMutationResult } from "@tanstack/react-query";
import { Failure } from "./failure.tsx";

interface Props<Given, Result> {
  /** A verb and its object: "Send test". */
  readonly label: string;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutate" | "error" | "isPending">;
  /** The arguments of the change. */
  readonly given: Given;
  readonly onDone?: (result: Result) => void;
}

/** A button that makes a change without confirmation, for changes that can be undone. It shows the error of a refused change. */
export function ActionButton<Given, Result>({ label, change, given, onDone }: Props<Given, Result>) {
  return (
    <>
      <button
        type="button"
        className="quiet"
        disabled={change.isPending}
        onClick={() => change.mutate(given, { onSuccess: (result) => onDone?.(result) })}
      >
        {label}
      </button>
      {change.error !== null && <Failure error={change.error} />}
    </>
  );
}
