/** An object with one property, for spreading; an empty object if the value is missing or empty. */
export function present<Key extends string, Value extends string | readonly string[]>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined || value.length === 0 ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}
