/** Whose rules they are: of an organization, or of a repository (with its namespace). */
export interface RuleOwner {
  readonly kind: "organization" | "repository";
  readonly name: string;
}
