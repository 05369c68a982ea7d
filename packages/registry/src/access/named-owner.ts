import type { OrganizationSubject } from "./on-organization.ts";
import type { RepositorySubject } from "./on-repository.ts";

/** What a rule is for: all repositories of an organization, or one repository. */
export type RuleOwner = { readonly namespaceId: string } | { readonly repositoryId: string };

/** What a rule is for, with the names that the usage log has. */
export interface NamedOwner {
  readonly owner: RuleOwner;
  readonly names: { readonly namespace: string; readonly repo?: string };
}

/** The owner of the rules that an operation on an organization or a repository is about. */
export function namedOwner(subject: OrganizationSubject | RepositorySubject): NamedOwner {
  if ("repository" in subject) {
    const { id, namespace, name: repo } = subject.repository;
    return { owner: { repositoryId: id }, names: { namespace, repo } };
  }
  const { id, username } = subject.organization;
  return { owner: { namespaceId: id }, names: { namespace: username } };
}
