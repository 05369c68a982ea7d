/** An object as it is without its members that are `undefined`. */
export type WithoutUndefined<Members> = Members extends unknown
  ? {
      [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
    } & {
      [Name in keyof Members as undefined extends Members[Name]
        ? [Exclude<Members[Name], undefined>] extends [never]
          ? never
          : Name
        : never]?: Exclude<Members[Name], undefined>;
    }
  : never;

/**
 * The members that are not `undefined`. An absent member and `undefined` mean the same, but not where an object is spread over another, or
 * where names and values are listed, as for headers and environments.
 * @example
 * withoutUndefined({ accept: "text/html", range: undefined }); // { accept: "text/html" }
 */
export function withoutUndefined<Members extends object>(members: Members): WithoutUndefined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as WithoutUndefined<Members>;
}
