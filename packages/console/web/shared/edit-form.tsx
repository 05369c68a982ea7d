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
  /** What is there now, as it was read: the answer of an operation; null where there is nothing. */
  readonly value: Value;
  /** The fields, with that in them. */
  readonly fields: (value: Value) => ReactNode;
}

/**
 * A form that replaces what is there as a whole. It keeps what typing began with: where something else is there by the time that it is sent,
 * the change is refused, and the visitor sees both and chooses.
 */
export function EditForm<Value extends object | null, Given extends object, Result>(
  props: Props<Value, Given, Result>,
) {
  const { label, given, change, value, fields, layout, onDone, onCancel } = props;
  const [begun, begin] = useState<{ readonly with: Value }>();
  const shown = begun === undefined ? value : begun.with;
  const isRefused = isConflict(change.error);
  const takeTheirs = () => {
    change.reset();
    begin(undefined);
  };
  const done = (result: Result) => {
    begin(undefined);
    onDone?.(result);
  };
  return (
    <div className={isRefused ? "beside" : ""} onInput={() => begun ?? begin({ with: value })}>
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
