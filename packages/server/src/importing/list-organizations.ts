import { Type } from "typebox";
import type { Importing } from "./importing.ts";
import { NotImported, read } from "./management-api.ts";

const Caller = Type.Object({
  organizations: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), is_org_admin: Type.Optional(Type.Boolean()) })),
  ),
});

/** The organizations of the source that the token's user administers. If the source does not list them, the report says so. */
export async function listOrganizations({ source, report }: Importing): Promise<readonly string[]> {
  try {
    const caller = await read(source, "/user/", Caller);
    if (caller?.organizations === undefined)
      throw new NotImported("the other registry does not list its organizations: name them with --namespace");
    return caller.organizations.filter((each) => each.is_org_admin !== false).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof NotImported)) throw error;
    report.add({ kind: "organization", name: "*", outcome: "not taken", note: error.message });
    return [];
  }
}
