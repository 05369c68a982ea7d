import { formatAge } from "./units.ts";

/** An instant, shown as its age; the exact time is shown on hover. @param at epoch milliseconds */
export function Time({ at }: { readonly at: number }) {
  const exact = new Date(at);
  return (
    <time dateTime={exact.toISOString()} title={exact.toLocaleString()}>
      {formatAge(at, Date.now())}
    </time>
  );
}
