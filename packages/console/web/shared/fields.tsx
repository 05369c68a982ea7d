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

interface SelectProps<Value extends string> {
  readonly name: string;
  readonly label: string;
  /** The text of each value. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  /** The initial value; the first option if absent. */
  readonly defaultValue?: NoInfer<Value>;
  readonly onChoice?: (value: NoInfer<Value>) => void;
}

/** A select field of a form with its label. */
export function SelectField<Value extends string>({
  name,
  label,
  options,
  defaultValue,
  onChoice,
}: SelectProps<Value>) {
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

interface CheckProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean;
}

/** A checkbox of a form. Its value is `on` if it is checked, and empty otherwise. */
export function CheckField({ name, label, isChecked = false }: CheckProps) {
  return (
    <label className="choice">
      <input type="checkbox" name={name} defaultChecked={isChecked} />
      <span>{label}</span>
    </label>
  );
}

interface SearchProps {
  /** The purpose of the filter, for the placeholder and screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A field that filters the list below it while the visitor types. */
export function SearchField({ label, value, onValue }: SearchProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}

/** Parses a list that is separated by commas; empty items are left out. */
export function parseCommaList(text: string): readonly string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}
