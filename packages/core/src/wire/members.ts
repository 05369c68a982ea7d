import type { Steps } from "../model/slices.ts";

/** Optional members, to be spread into an object: undefined values and empty strings are left out. */
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

/** The number of members of one step, which takes less than a millisecond. */
export const membersPerStep = 200;

/** The map with converted values, in the order of its keys, so that equal maps give equal bytes. */
export function* convertMap<From, To>(
  map: Readonly<Record<string, From>>,
  convert: (value: From, key: string) => To,
): Steps<Record<string, To>> {
  const made: Record<string, To> = {};
  let members = 0;
  for (const key of keysInOrder(map)) {
    addMember(made, key, convert(map[key] as From, key));
    if (++members % membersPerStep === 0) yield;
  }
  return made;
}

/** Adds an own member with any name, including `__proto__`. */
export function addMember<Value>(made: Record<string, Value>, key: string, value: Value): void {
  if (key === "__proto__")
    Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
  else made[key] = value;
}

/** Integer keys first, which objects already have in order: sorting those of a large report would take long. */
function keysInOrder(map: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(map);
  let numbers = keys.length;
  while (numbers > 0 && !isIndex(keys[numbers - 1] ?? "")) numbers--;
  return numbers === keys.length ? keys : [...keys.slice(0, numbers), ...keys.slice(numbers).sort()];
}

/** @see https://tc39.es/ecma262/#integer-index */
function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
}
