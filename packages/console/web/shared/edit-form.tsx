import { AlertIcon } from "@primer/octicons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { type ApiError, isConflict } from "../api/api-error.ts";
import { tagOf } from "../api/entity-tags.ts";
import type { Replacing } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";
import { ChangeForm } from "./change-form.tsx";

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

interface OthersValueProps {
  /** The error of the visitor's refused change. */
  readonly error: unknown;
  readonly onTake: () => void;
  /** The fields with the stored value. */
  readonly children: ReactNode;
}

/** The value that another user has stored while the visitor was editing. */
function OthersValue({ error, onTake, children }: OthersValueProps) {
  const { requestId } = error as Partial<ApiError>;
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => markDifferences(fields.current));
  return (
    <section className="failure" role="alert">
      <p>
        <AlertIcon /> <strong>{words.title}</strong>
      </p>
      <p>{words.meaning}</p>
      <fieldset disabled className="fields" ref={fields}>
        <legend>{words.theirs}</legend>
        {children}
      </fieldset>
      <button type="button" onClick={onTake}>
        {words.takeTheirs}
      </button>
      {requestId !== undefined && <p className="detail">{texts.failure.request(requestId)}</p>}
    </section>
  );
}

/** Marks the fields whose value differs from that of the form beside them. */
function markDifferences(theirs: HTMLFieldSetElement | null): void {
  const mine = theirs?.closest(".beside")?.querySelector("form")?.elements;
  for (const field of theirs?.elements ?? []) {
    const other = mine?.namedItem(field.getAttribute("name") ?? "");
    if (other instanceof Element && shownIn(field) !== shownIn(other))
      field.closest("label")?.setAttribute("data-differs", words.differs);
  }
}

function shownIn(field: Element): string {
  const { type, checked, value } = field as HTMLInputElement;
  return type === "checkbox" ? String(checked) : value;
}
