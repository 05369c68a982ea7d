import { locale } from "../texts/language.ts";
import { formatAge } from "./units.ts";

/** An instant in a file: ISO 8601, empty where there is none. @param at epoch milliseconds */
export function timeText(at: number | undefined): string {
  return at === undefined ? "" : new Date(at).toISOString();
}

/** An instant, shown as its age; the exact time is shown on hover. @param at epoch milliseconds */
export function Time({ at }: { readonly at: number }) {
  const exact = new Date(at);
  return (
    <time dateTime={exact.toISOString()} title={exact.toLocaleString(locale)}>
      {formatAge(at, Date.now())}
    </time>
  );
}
