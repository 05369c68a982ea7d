/** The constraint that a statement violated. */
export type Constraint = "unique" | "foreign-key";

/** The numbers of `node:sqlite`. @see https://sqlite.org/rescode.html#constraint_unique */
const sqliteCodes: ReadonlyMap<unknown, Constraint> = new Map([
  [2067, "unique"], // SQLITE_CONSTRAINT_UNIQUE
  [1555, "unique"], // SQLITE_CONSTRAINT_PRIMARYKEY
  [787, "foreign-key"], // SQLITE_CONSTRAINT_FOREIGNKEY
]);

/** The codes of `pg`. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresCodes: ReadonlyMap<unknown, Constraint> = new Map([
  ["23505", "unique"],
  ["23503", "foreign-key"],
]);

/**
 * The constraint that a statement violated; undefined for any other error. This can happen although the transaction has checked it before,
 * if another transaction was faster. The transaction must then be rolled back.
 * @example
 * async function isNew(insert: () => Promise<unknown>): Promise<boolean> {
 *   try {
 *     await insert();
 *     return true;
 *   } catch (error) {
 *     if (violatedConstraint(error) === "unique") return false;
 *     throw error;
 *   }
 * }
 */
export function violatedConstraint(error: unknown): Constraint | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as Error & { readonly code?: unknown; readonly errcode?: unknown };
  return code === "ERR_SQLITE_ERROR" ? sqliteCodes.get(errcode) : postgresCodes.get(code);
}
