interface Props {
  /** The purpose of the filter, for the placeholder and screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A field that filters the list below it while the visitor types. */
export function SearchField({ label, value, onValue }: Props) {
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
