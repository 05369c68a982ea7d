import { TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";

const dayMs = 86_400_000;

/** The default and the largest number of days for which a rule is valid. */
const [defaultDays, maxDays] = [90, 365];

/** The field `expires`: the last day on which a rule is valid. */
export function ExpiryField() {
  const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  return (
    <TextField
      name="expires"
      type="date"
      label={texts.ignoreRules.expires}
      required
      min={day(0)}
      max={day(maxDays)}
      defaultValue={day(defaultDays)}
    />
  );
}

/** The end of a day (`2026-01-31`, UTC), in the format of the management API. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59Z`;
}
