/** What counts as short: so many values and characters of text, taken together. */
const maxSize = 8 * 1024;

/**
 * The JSON of a value that is short for certain; undefined for what may be long, or comes while it is written. Costs next
 * to nothing to say so: it looks no further than {@link maxSize}.
 */
export function shortJson(value: unknown): string | undefined {
  return roomAfter(value, maxSize) < 0 ? undefined : JSON.stringify(value);
}

/** How much room is left; below 0 when there is none. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 1;
  if (typeof value !== "object" || value === null) return room - 1;
  if (Array.isArray(value)) return roomAfterAll(value, room);
  if ("toJSON" in value || Symbol.asyncIterator in value) return -1;
  return roomAfterMembers(value as Readonly<Record<string, unknown>>, room);
}

function roomAfterAll(values: readonly unknown[], room: number): number {
  let left = room - 1;
  for (let index = 0; index < values.length && left >= 0; index++) left = roomAfter(values[index], left);
  return left;
}

function roomAfterMembers(value: Readonly<Record<string, unknown>>, room: number): number {
  let left = room - 1;
  for (const name in value) {
    if (left < 0) return left;
    left = roomAfter(value[name], left - name.length);
  }
  return left;
}
