/**
 * One promise of an interface, as a test that any implementation must pass. It knows no test runner: it throws when the
 * promise is broken.
 */
export interface ContractCase<Subject> {
  /** A plain sentence of behaviour. */
  readonly name: string;
  run(subject: Subject): Promise<void>;
}
