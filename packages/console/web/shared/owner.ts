/** The owner of rules: an organization, or a repository (`NAMESPACE/NAME`). */
export interface RuleOwner {
  readonly kind: "organization" | "repository";
  readonly name: string;
}
