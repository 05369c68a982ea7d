/** An object with the one property, or without it where the value is missing or empty: for spreading. */
export function present<Key extends string, Value extends string | readonly string[]>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined || value.length === 0 ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}
