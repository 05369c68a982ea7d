/** A row of the table: package, version, vulnerability, severity, fixed version. */
export type Row = readonly [name: string, version: string, vulnerability: string, severity: string, fixed: string];

/** The worker's result for an archive. */
export type Answer =
  | {
      readonly kind: "scanned";
      readonly reference: string;
      readonly packages: number;
      readonly rows: readonly Row[];
    }
  | { readonly kind: "failed"; readonly message: string };
