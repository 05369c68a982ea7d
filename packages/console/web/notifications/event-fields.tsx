import type { Typed } from "../shared/change-form.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.notifications;

/** The kind of event that a notification reports. */
export type NotificationEvent = keyof typeof words.events;

/** The fields that narrow the events of a kind. */
export function EventFields({ event }: { readonly event: NotificationEvent }) {
  if (event === "vulnerability_found") {
    return <SelectField name="level" label={words.level} options={words.levels} defaultValue="5" />;
  }
  if (event === "repo_image_expiry") {
    return <TextField name="days" label={words.days} type="number" min={1} required defaultValue={7} />;
  }
  return event.startsWith("build_") && <TextField name="reference" label={words.reference} maxLength={256} />;
}

/** The values of these fields, as `eventConfig` of a request. */
export function eventConfigOf(typed: Typed): Readonly<Record<string, unknown>> {
  const [level, days, reference] = [typed("level"), typed("days"), typed("reference")];
  return {
    level: level !== "" ? Number(level) : undefined,
    days: days !== "" ? Number(days) : undefined,
    "ref-regex": reference || undefined,
  };
}
