/** Converts a number of bytes to the largest unit in which the value is at least 1. @param units in ascending order, each 1,024 times the one before */
export function inLargestUnit(
  bytes: number,
  units: readonly string[],
): { readonly value: number; readonly unit: string } {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return { value: bytes / 1024 ** power, unit: units[power] ?? "" };
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** A readable number of bytes, such as `1.0 GiB`. */
export function formatBytes(bytes: number): string {
  const { value, unit } = inLargestUnit(bytes, byteUnits);
  return `${unit === byteUnits[0] ? value : value.toFixed(1)} ${unit}`;
}
