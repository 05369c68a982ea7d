import { texts } from "../texts/texts.ts";
import { formatCount } from "./units.ts";

const words = texts.repository;

interface Props {
  /** From 1. */
  readonly page: number;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
  /** How many rows this page has and a full one, and all pages together. */
  readonly rows?: { readonly count: number; readonly length: number; readonly total?: number | undefined };
}

/** Buttons for the previous and the next page; nothing if there is only one page. */
export function PageButtons({ page, hasMore, onPage, rows }: Props) {
  if (page === 1 && !hasMore) return undefined;
  return (
    <nav className="pages" aria-label={words.page(page)}>
      <button type="button" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {words.earlier}
      </button>
      <span>{rows?.total === undefined ? words.page(page) : rangeOf(page, rows, rows.total)}</span>
      <button type="button" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {words.later}
      </button>
    </nav>
  );
}

/** `51–100 of 2,000` */
function rangeOf(page: number, { count, length }: NonNullable<Props["rows"]>, total: number): string {
  const before = (page - 1) * length;
  return words.range(formatCount(before + 1), formatCount(before + count), formatCount(total));
}

/** The number of the page in an address; the first for what is none, and for numbers that no list reaches. */
export function pageNumber(text: string): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
