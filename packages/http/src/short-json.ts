/** The limit for short values: the number of values and characters together. */
const maxSize = 8 * 1024;

/**
 * The JSON of a value that is certainly short; undefined for a value that may be long or is streamed. The check is cheap, because it
 * counts no further than {@link maxSize}.
 */
export function shortJson(value: unknown): string | undefined {
  return roomAfter(value, maxSize) < 0 ? undefined : JSON.stringify(value);
}

/** The remaining size after a value; below 0 if the limit is exceeded. */
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
