/** The members of an object with the given names, without undefined ones. */
export function pick<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> {
  const members = names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]] as const]));
  return Object.fromEntries(members) as Pick<From, Name>;
}
