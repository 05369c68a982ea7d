import type { UseMutationResult } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { Failure } from "./failure.tsx";

/** What was typed or chosen in the field of a name; empty where nothing was. */
export type Typed = (name: string) => string;

interface Props<Given, Result> {
  /** A verb and its object: "Create team". */
  readonly label: string;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutate" | "error" | "isPending">;
  /** What the change is made with. */
  readonly given: (typed: Typed) => Given;
  readonly onDone?: (result: Result) => void;
  /** Given where the form is left without a change. */
  readonly onCancel?: () => void;
  /** Another thing that is done with what was typed, once it is complete. */
  readonly other?: { readonly label: string; readonly act: (typed: Typed) => void } | undefined;
  /** Shown in place of the error. */
  readonly refusal?: ReactNode;
  /** How the fields are placed: beside each other at first. */
  readonly layout?: "line" | "fields";
  /** The fields. */
  readonly children: ReactNode;
}

/** A form that makes a change. What was typed stays until the change is made; where it is refused, the form says why. */
export function ChangeForm<Given, Result>(props: Props<Given, Result>) {
  const { label, change, given, onDone, onCancel, other, refusal, layout = "line", children } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const onSuccess = (result: Result) => {
      form.reset();
      onDone?.(result);
    };
    change.mutate(given(typedInto(form)), { onSuccess });
  };
  return (
    <>
      <form className={layout} onSubmit={submit}>
        {children}
        <div className="actions">
          <button type="submit" className="primary" disabled={change.isPending}>
            {label}
          </button>
          {other !== undefined && (
            <button
              type="button"
              onClick={({ currentTarget: { form } }) => form?.reportValidity() && other.act(typedInto(form))}
            >
              {other.label}
            </button>
          )}
          {onCancel !== undefined && (
            <button type="button" onClick={onCancel}>
              {texts.confirm.cancel}
            </button>
          )}
        </div>
      </form>
      {refusal ?? (change.error !== null && <Failure error={change.error} />)}
    </>
  );
}

function typedInto(form: HTMLFormElement): Typed {
  const values = new FormData(form);
  return (name) => String(values.get(name) ?? "");
}
