import { type JsonPlace, optionalStringAt, unexpected } from "../model/json-place.ts";

/** Where a statement stands, for messages. */
export function placeOf({ document, path }: JsonPlace): string {
  return `${document}: ${path}`;
}

/** The instant at a place, in epoch milliseconds; undefined where it is absent. @throws ScanError where it is no date */
export function instantAt(place: JsonPlace): number | undefined {
  const text = optionalStringAt(place);
  if (text === undefined) return undefined;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw unexpected(place, "a date and time");
  return instant;
}
