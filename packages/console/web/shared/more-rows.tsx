import { useState } from "react";
import { texts } from "../texts/texts.ts";

/** How many rows are shown at first, and added at a time: rendering thousands is slow. */
const rowsAtOnce = 200;

/** The visible rows of a long list, and a function that shows more. */
export interface ShownRows<Row> {
  readonly rows: readonly Row[];
  /** Absent if all rows are shown. */
  readonly showMore?: () => void;
}

/** Limits a list to its first rows until more are requested. */
export function useShownRows<Row>(all: readonly Row[]): ShownRows<Row> {
  const [count, setCount] = useState(rowsAtOnce);
  const rows = all.slice(0, count);
  return rows.length < all.length ? { rows, showMore: () => setCount(count + rowsAtOnce) } : { rows };
}

/** The button that shows more rows. */
export function MoreRows({ showMore }: Pick<ShownRows<unknown>, "showMore">) {
  if (showMore === undefined) return undefined;
  return (
    <button type="button" onClick={showMore}>
      {texts.namespace.more}
    </button>
  );
}
