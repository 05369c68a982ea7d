/** Members that may be there, for spreading: those that are undefined or an empty text are left out. */
export function present<Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const kept: { [Name in keyof Members]?: Exclude<Members[Name], undefined> } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined && value !== "") kept[name] = value as Exclude<Members[typeof name], undefined>;
  }
  return kept;
}

/** The same map with converted values, in the order of its keys: equal maps give equal bytes. */
export function convertMap<From, To>(
  map: Readonly<Record<string, From>>,
  convert: (value: From, key: string) => To,
): Record<string, To> {
  const keys = Object.keys(map).sort();
  return Object.fromEntries(keys.map((key) => [key, convert(map[key] as From, key)]));
}
