/** Package, version, vulnerability, severity, version with the fix. */
export type Row = readonly [name: string, version: string, vulnerability: string, severity: string, fixed: string];

/** What the worker says of an archive. */
export type Answer =
  | {
      readonly kind: "scanned";
      readonly reference: string;
      readonly packages: number;
      readonly rows: readonly Row[];
    }
  | { readonly kind: "failed"; readonly message: string };
