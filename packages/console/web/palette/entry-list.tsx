import { texts } from "../texts/texts.ts";
import type { Entry } from "./entries.ts";

interface Props {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** The index of the entry that Enter opens. */
  readonly current: number;
  readonly onOpen: (entry: Entry) => void;
}

/** The entries of the palette, each with its group. The focus stays in the field, which refers to the current entry. */
export function EntryList({ id, entries, current, onOpen }: Props) {
  return (
    <div id={id} role="listbox" aria-label={texts.palette.title} className="entries">
      {entries.map((entry, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        <div
          key={entry.key}
          id={optionId(id, place)}
          role="option"
          aria-selected={place === current}
          className="entry"
          onClick={() => onOpen(entry)}
        >
          {entry.text} <small>{texts.palette.groups[entry.group]}</small>
        </div>
      ))}
    </div>
  );
}

/** The id of an entry in the page. */
export function optionId(list: string, place: number): string {
  return `${list}-${place}`;
}
