interface Props {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean;
}

/** A field of a form that is ticked or not. What is typed into it is `on`, or nothing. */
export function CheckField({ name, label, isChecked = false }: Props) {
  return (
    <label className="choice">
      <input type="checkbox" name={name} defaultChecked={isChecked} />
      <span>{label}</span>
    </label>
  );
}
