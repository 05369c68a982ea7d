import { Type } from "typebox";

/** The namespace that a job works for, in its payload. Jobs that were queued before kinds had tenants do not say it. */
export const ofNamespace = { namespaceId: Type.Optional(Type.String()) } as const;

/** The tenant of a job: its namespace, so that namespaces take turns. */
export function namespaceTenant({ namespaceId = "" }: { readonly namespaceId?: string | undefined }): string {
  return namespaceId;
}
