/**
 * One guarantee of an interface, as a test that every implementation must pass. It depends on no test runner: it throws when
 * the guarantee is broken.
 */
export interface ContractCase<Subject> {
  /** The behaviour, in a plain sentence. */
  readonly name: string;
  run(subject: Subject): Promise<void>;
}
