import type { ComponentProps } from "react";

interface Props extends ComponentProps<"input"> {
  readonly name: string;
  readonly label: string;
  /** The expected form of the text. */
  readonly rule?: string;
}

/** A text field of a form with its label. */
export function TextField({ label, rule, ...input }: Props) {
  return (
    <label>
      {label}
      <input {...input} />
      {rule !== undefined && <small>{rule}</small>}
    </label>
  );
}
