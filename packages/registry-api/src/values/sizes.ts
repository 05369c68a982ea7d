/** A number of bytes in the largest of some units of which there is at least one. @param units each 1,024 of the one before */
export function inLargestUnit(
  bytes: number,
  units: readonly string[],
): { readonly value: number; readonly unit: string } {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return { value: bytes / 1024 ** power, unit: units[power] ?? "" };
}
