import { useState } from "react";
import { texts } from "../texts/texts.ts";

/** How many rows are shown at first, and added at a time: thousands are slow to show. */
const rowsAtOnce = 200;

/** The first rows of a long list, and how to see more. */
export interface ShownRows<Row> {
  readonly rows: readonly Row[];
  /** Absent where all are shown. */
  readonly showMore?: () => void;
}

/** The rows of a list that are shown. */
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
