import type { Static } from "typebox";
import { ensureAccount } from "./import-users.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { NotImported, pathOf, read, readAll } from "./management-api.ts";
import { lists, Organization } from "./shapes.ts";

type Teams = NonNullable<Static<typeof Organization>["teams"]>;

/** Imports the teams of an organization and their members. */
export async function importTeams(importing: Importing, organization: string, teams: Teams): Promise<void> {
  const { target, report } = importing;
  const here = await read(target, pathOf`/organization/${organization}`, Organization);
  for (const [team, { role, description, is_synced }] of Object.entries(teams)) {
    const name = `${organization}: ${team}`;
    const path = pathOf`/organization/${organization}/team/${team}`;
    const isHere = await importItem(importing, {
      ...{ kind: "team", name },
      async compare() {
        const known = here?.teams?.[team];
        if (known === undefined) return "missing";
        return known.role === role ? undefined : `has the role ${known.role} here, and ${role} there`;
      },
      async create() {
        await target.send("PUT", path, { role, description: description || undefined });
        return is_synced ? "is synchronized with a group there: enable this here, too" : undefined;
      },
    });
    if (isHere) await attempt(report, { kind: "team member", name }, () => importMembers(importing, { path, name }));
  }
}

async function importMembers(
  importing: Importing,
  { path, name: team }: { readonly path: string; readonly name: string },
): Promise<void> {
  const { source, target } = importing;
  const members = `${path}/members`;
  const here = new Set<string>();
  for await (const { name } of readAll(target, members, lists.members)) here.add(name ?? "");
  for await (const { name, email, invited } of readAll(source, `${members}?includePending=true`, lists.members)) {
    await importItem(importing, {
      ...{ kind: "team member", name: `${team}: ${name ?? email ?? "?"}` },
      compare: async () => (name !== undefined && here.has(name) ? undefined : "missing"),
      async create() {
        if (name === undefined || invited) throw new NotImported("has not answered an invitation: invite again here");
        await ensureAccount(importing, name);
        await target.send("PUT", `${members}/${encodeURIComponent(name)}`);
      },
    });
  }
}
