/** Members that may be there, for spreading: those that are undefined or an empty text are left out. */
export function present<Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(kept) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}

/** The same map with converted values, in the order of its keys: equal maps give equal bytes. */
export function convertMap<From, To>(
  map: Readonly<Record<string, From>>,
  convert: (value: From, key: string) => To,
): Record<string, To> {
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, convert(value, key)]));
}
