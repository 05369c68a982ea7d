import { texts } from "../texts/texts.ts";

const words = texts.repository;

interface Props {
  /** From 1. */
  readonly page: number;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
}

/** Buttons for the previous and the next page; nothing if there is only one page. */
export function PageButtons({ page, hasMore, onPage }: Props) {
  if (page === 1 && !hasMore) return undefined;
  return (
    <nav className="pages" aria-label={words.page(page)}>
      <button type="button" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {words.earlier}
      </button>
      <span>{words.page(page)}</span>
      <button type="button" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {words.later}
      </button>
    </nav>
  );
}

/** The number of the page in an address; the first for what is none, and for numbers that no list reaches. */
export function pageNumber(text: string): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
