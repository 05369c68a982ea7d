import type { UseMutationResult } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { isConflict } from "../api/api-error.ts";
import { tagOf } from "../api/entity-tags.ts";
import type { Replacing } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";
import { ChangeForm } from "./change-form.tsx";
import { OthersValue } from "./others-value.tsx";

const words = texts.conflict;

interface Props<Value extends object | null, Given, Result>
  extends Pick<ComponentProps<typeof ChangeForm<Given, Result>>, "label" | "given" | "onDone" | "onCancel" | "layout"> {
  readonly change: Pick<
    UseMutationResult<Result, Error, Given & Replacing>,
    "mutate" | "error" | "isPending" | "isSuccess" | "reset"
  >;
  /** The current value: the answer of an operation, or null if there is none. */
  readonly value: Value;
  /** The fields, filled with a value. */
  readonly fields: (value: Value) => ReactNode;
}

/**
 * A form that replaces a whole value. It remembers the value at the first input. If the stored value has changed by the time that the form
 * is sent, the change is refused, and the visitor sees both values and chooses one.
 */
export function EditForm<Value extends object | null, Given extends object, Result>(
  props: Props<Value, Given, Result>,
) {
  const { label, given, change, value, fields, layout, onDone, onCancel } = props;
  const [edited, setEdited] = useState<{ readonly from: Value }>();
  const shown = edited === undefined ? value : edited.from;
  const isRefused = isConflict(change.error);
  const takeTheirs = () => {
    change.reset();
    setEdited(undefined);
  };
  const done = (result: Result) => {
    setEdited(undefined);
    onDone?.(result);
  };
  return (
    <div className={isRefused ? "beside" : ""} onInput={() => edited ?? setEdited({ from: value })}>
      <div>
        <ChangeForm
          key={tagOf(shown) ?? "none"}
          label={isRefused ? words.keepMine : label}
          given={(typed) => ({ ...given(typed), replaces: isRefused ? value : shown })}
          change={change}
          onDone={done}
          {...(onCancel && { onCancel })}
          {...(layout && { layout })}
          {...(isRefused && { refusal: <></> })}
        >
          {fields(shown)}
        </ChangeForm>
      </div>
      {isRefused && (
        <OthersValue error={change.error} onTake={takeTheirs}>
          {value === null ? <p>{words.nothing}</p> : fields(value)}
        </OthersValue>
      )}
    </div>
  );
}
