import { Type } from "typebox";

/** The payload member for the namespace of a job. Optional, since jobs from before tenants were introduced do not have it. */
export const ofNamespace = { namespaceId: Type.Optional(Type.String()) } as const;

/** The tenant of a job: its namespace, so that namespaces take turns. */
export function namespaceTenant({ namespaceId = "" }: { readonly namespaceId?: string | undefined }): string {
  return namespaceId;
}
