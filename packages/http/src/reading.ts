/** One way to read a path. */
export interface Reading<Each> {
  readonly operation: Each;
  readonly params: Readonly<Record<string, string>>;
}
