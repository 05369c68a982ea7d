import { texts } from "../texts/texts.ts";

interface Props {
  readonly name: string;
  /** The namespace whose quota is shown; empty: none. */
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

/** A button that shows and hides the quota of a namespace below a list. */
export function QuotaButton({ name, chosen, choose }: Props) {
  return (
    <button
      type="button"
      className="quiet"
      aria-expanded={chosen === name}
      onClick={() => choose(chosen === name ? "" : name)}
    >
      {texts.quotas.title}
    </button>
  );
}
