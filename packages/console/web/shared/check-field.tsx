interface Props {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean;
}

/** A checkbox of a form. Its value is `on` if it is checked, and empty otherwise. */
export function CheckField({ name, label, isChecked = false }: Props) {
  return (
    <label className="choice">
      <input type="checkbox" name={name} defaultChecked={isChecked} />
      <span>{label}</span>
    </label>
  );
}
