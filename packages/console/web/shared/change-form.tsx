import type { UseMutationResult } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { Failure } from "./failure.tsx";

/** The value of a form's field by its name; empty if there is none. */
export type Typed = (name: string) => string;

interface Props<Given, Result> {
  /** A verb and its object: "Create team". */
  readonly label: string;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutate" | "error" | "isPending">;
  /** The arguments of the change, from the values of the fields. */
  readonly given: (typed: Typed) => Given;
  readonly onDone?: (result: Result) => void;
  /** Called when the form is closed without a change. Without it there is no button for that. */
  readonly onCancel?: () => void;
  /** A second button, which uses the values of a valid form. */
  readonly other?: { readonly label: string; readonly act: (typed: Typed) => void } | undefined;
  /** Shown instead of the error. */
  readonly refusal?: ReactNode;
  /** Whether the fields are in a line (the default) or below each other. */
  readonly layout?: "line" | "fields";
  /** The fields. */
  readonly children: ReactNode;
}

/** A form that makes a change. It keeps its input until the change is made, and shows the error of a refused change. */
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
