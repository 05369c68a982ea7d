import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const dayMs = 86_400_000;

/** The days for which a rule counts where nothing else is chosen, and the most. */
const [usualDays, mostDays] = [90, 365];

/** The last day on which a rule counts; its name is `expires`. */
export function ExpiryField() {
  const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  return (
    <TextField
      name="expires"
      type="date"
      label={texts.ignoreRules.expires}
      required
      min={day(0)}
      max={day(mostDays)}
      defaultValue={day(usualDays)}
    />
  );
}

/** The end of the day that was typed, as the registry takes it. */
export function endOf(day: string): string {
  return `${day}T23:59:59Z`;
}
