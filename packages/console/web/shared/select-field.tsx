interface Props<Value extends string> {
  readonly name: string;
  readonly label: string;
  /** The text of each value. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  /** The initial value; the first option if absent. */
  readonly defaultValue?: NoInfer<Value>;
  readonly onChoice?: (value: NoInfer<Value>) => void;
}

/** A select field of a form with its label. */
export function SelectField<Value extends string>({ name, label, options, defaultValue, onChoice }: Props<Value>) {
  return (
    <label>
      {label}
      <select
        name={name}
        defaultValue={defaultValue}
        onChange={({ target }) => onChoice?.(chosenOf(options, target.value))}
      >
        {Object.entries<string | undefined>(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Narrows the text of a select field to one of its options. @throws Error for any other text */
export function chosenOf<Value extends string>(options: Readonly<Partial<Record<Value, string>>>, text: string): Value {
  const chosen = Object.keys(options).find((each) => each === text);
  if (chosen === undefined)
    throw new Error(`expected one of ${Object.keys(options).join(", ")}, found ${JSON.stringify(text)}`);
  return chosen as Value;
}
