interface Props<Value extends string> {
  readonly name: string;
  readonly label: string;
  /** The shown text of each value; the first is chosen at the start. */
  readonly options: Readonly<Record<Value, string>>;
}

/** A field of a form with its label, for one of a few values. */
export function SelectField<Value extends string>({ name, label, options }: Props<Value>) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries<string>(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
