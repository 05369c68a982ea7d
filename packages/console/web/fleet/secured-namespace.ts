/** A user's or an organization's namespace. */
export interface SecuredNamespace {
  readonly namespace: string;
  readonly isOrganization: boolean;
}
