import { formatAge } from "./units.ts";

/** An instant, told as its age; the exact one is shown on hover. */
export function Time({ at }: { readonly at: number }) {
  const exact = new Date(at);
  return (
    <time dateTime={exact.toISOString()} title={exact.toLocaleString()}>
      {formatAge(at, Date.now())}
    </time>
  );
}
