interface Props<Value extends string> {
  readonly name: string;
  readonly label: string;
  /** The shown text of each value. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  /** What is chosen at the start: the first where it is not given. */
  readonly defaultValue?: NoInfer<Value>;
  readonly onChoice?: (value: NoInfer<Value>) => void;
}

/** A field of a form with its label, for one of a few values. */
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

/** Which of the options was chosen, of what the field's form was sent with. */
export function chosenOf<Value extends string>(options: Readonly<Partial<Record<Value, string>>>, text: string): Value {
  const chosen = Object.keys(options).find((each) => each === text);
  if (chosen === undefined) throw new Error(`no option is ${JSON.stringify(text)}`);
  return chosen as Value;
}
