import { type JsonPlace, optionalStringAt, unexpected } from "../model/json-place.ts";

/** The place of a statement, for messages: `app.vex.json: statements[2]`. */
export function placeOf({ document, path }: JsonPlace): string {
  return `${document}: ${path}`;
}

/** The instant at a place, in epoch milliseconds; undefined if it is absent. @throws ScanError if it is not a date */
export function instantAt(place: JsonPlace): number | undefined {
  const text = optionalStringAt(place);
  if (text === undefined) return undefined;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw unexpected(place, "a date and time");
  return instant;
}
