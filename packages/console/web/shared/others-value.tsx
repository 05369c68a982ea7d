import { AlertIcon } from "@primer/octicons-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { ApiError } from "../api/api-error.ts";
import { texts } from "../texts/texts.ts";

const words = texts.conflict;

interface Props {
  /** The error of the visitor's refused change. */
  readonly error: unknown;
  readonly onTake: () => void;
  /** The fields with the stored value. */
  readonly children: ReactNode;
}

/** The value that another user has stored while the visitor was editing. */
export function OthersValue({ error, onTake, children }: Props) {
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
