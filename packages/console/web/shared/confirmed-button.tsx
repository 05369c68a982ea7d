import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import type { Given, Operation } from "../api/operation.ts";
import { useChanges } from "../api/use-change.ts";
import { texts } from "../texts/texts.ts";
import { Failure } from "./failure.tsx";
import { TextField } from "./fields.tsx";

const words = texts.confirm;

interface Props<Given, Result> {
  /** A verb and its object: "Delete tag". */
  readonly label: string;
  /** What happens, in a sentence. */
  readonly consequence: string;
  /** The text that must be typed first, for a change that cannot be undone. */
  readonly typed?: string;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutateAsync" | "error" | "isPending">;
  /** The arguments of the change. */
  readonly given: Given;
  /** Called after the change. */
  readonly onDone?: (result: Result) => void;
}

interface ChosenProps<Each extends Operation> extends Pick<Props<unknown, void>, "label" | "consequence" | "typed"> {
  readonly operation: Each;
  readonly affected: Parameters<typeof useChanges<Each>>[1];
  /** The arguments for each of the chosen things. */
  readonly given: readonly Given<Each>[];
}

/** A button that makes the same change of several chosen things, one after the other, after a dialog has confirmed it. */
export function ChosenButton<Each extends Operation>({ operation, affected, ...button }: ChosenProps<Each>) {
  return <ConfirmedButton {...button} change={useChanges(operation, affected)} />;
}

/** A button that makes a change after a dialog has confirmed it. */
export function ConfirmedButton<Given, Result>(props: Props<Given, Result>) {
  const { label, consequence, typed, change, given, onDone } = props;
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const confirm = async () => {
    let result: Result;
    try {
      result = await change.mutateAsync(given);
    } catch {
      return; // the dialog shows the error
    }
    setOpen(false);
    onDone?.(result);
  };
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Trigger className="quiet">{label}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{label}</AlertDialog.Title>
          <AlertDialog.Description>{consequence}</AlertDialog.Description>
          <div className="fields">
            {typed !== undefined && (
              <TextField
                name="typed"
                label={words.type(typed)}
                autoComplete="off"
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
            {change.error !== null && <Failure error={change.error} />}
            <div className="actions">
              <button
                type="button"
                className="danger"
                disabled={change.isPending || (typed !== undefined && text !== typed)}
                onClick={confirm}
              >
                {label}
              </button>
              <AlertDialog.Close>{words.cancel}</AlertDialog.Close>
            </div>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
