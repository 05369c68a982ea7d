/**
 * The name that an address chooses among others, or the first where it names none of them. Names that every object inherits, such as
 * `constructor`, are none.
 */
export function namedOrFirst<Name extends string>(among: Readonly<Partial<Record<Name, unknown>>>, text: string): Name {
  const [first] = Object.keys(among);
  return (Object.hasOwn(among, text) ? text : first) as Name;
}
