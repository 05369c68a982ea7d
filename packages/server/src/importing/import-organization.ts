import { type Static, Type } from "typebox";
import { importNotifications } from "./import-behaviour.ts";
import {
  importFederations,
  importGate,
  importIgnoreRules,
  importImmutability,
  reportProxyCache,
} from "./import-protections.ts";
import { importRepository } from "./import-repository.ts";
import { importPrototypes, importPrunePolicies, importQuota } from "./import-rules.ts";
import { ensureAccount } from "./import-users.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { listAll, NotImported, pathOf, read, readAll } from "./management-api.ts";
import { lists, Organization } from "./shapes.ts";

/**
 * Imports an organization with everything that belongs to it. Its limits come last, so that they do not reject or remove anything
 * during the import.
 */
export async function importOrganization(importing: Importing, organization: string): Promise<void> {
  const { source, report } = importing;
  const here = { kind: "organization", name: organization } as const;
  let found: SourceOrganization | undefined;
  const isHere = await attempt(report, here, async () => {
    found = await readOrganization(importing, organization);
    if (!(await createOrganization(importing, found))) found = undefined;
  });
  if (!isHere || found === undefined) return;
  await importRobots(importing, organization);
  await importTeams(importing, organization, found.teams ?? {});
  await attempt(report, { kind: "application", name: organization }, async () => {
    for await (const { name } of readAll(
      source,
      pathOf`/organization/${organization}/applications`,
      lists.applications,
    ))
      report.add({
        ...{ kind: "application", name: `${organization}: ${name}`, outcome: "not taken" },
        note: "its secret and its tokens cannot be read: create it again",
      });
  });
  await attempt(report, { kind: "repository", name: organization }, async () => {
    const path = `/repository?namespace=${encodeURIComponent(organization)}`;
    for await (const { namespace, name, kind } of readAll(source, path, lists.repositories))
      if (namespace === organization) await importRepository(importing, { organization, name, kind: kind ?? "image" });
  });
  await importPrototypes(importing, organization);
  await importNotifications(importing, pathOf`/organization/${organization}/notifications`, organization);
  await importPrunePolicies(importing, pathOf`/organization/${organization}/autoprunepolicy/`, organization);
  await importImmutability(importing, pathOf`/organization/${organization}`, organization);
  await importIgnoreRules(importing, pathOf`/organization/${organization}`, organization);
  await importGate(importing, pathOf`/organization/${organization}`, organization);
  await importQuota(importing, organization);
  await reportProxyCache(importing, organization);
}

type SourceOrganization = NonNullable<Awaited<ReturnType<typeof readOrganization>>>;

async function readOrganization({ source }: Importing, organization: string) {
  const seen = await read(source, pathOf`/organization/${organization}`, Organization);
  if (seen === undefined) throw new NotImported("the source has no such organization, or does not show it");
  if (!seen.is_admin) throw new NotImported("the token's user does not administer it");
  return seen;
}

function createOrganization(importing: Importing, seen: SourceOrganization): Promise<boolean> {
  const { target } = importing;
  const { name, email, invoice_email, invoice_email_address, tag_expiration_s } = seen;
  const path = pathOf`/organization/${name}`;
  return importItem(importing, {
    ...{ kind: "organization", name },
    compare: async () => ((await target.get(path)) === undefined ? "missing" : undefined),
    async create() {
      await target.send("POST", "/organization/", { name, email: email || undefined });
      await target.send("PUT", path, {
        invoice_email,
        invoice_email_address: invoice_email_address || undefined,
        tag_expiration_s: typeof tag_expiration_s === "number" ? tag_expiration_s : undefined,
      });
    },
  });
}

const Made = Type.Object({ name: Type.String(), token: Type.Optional(Type.String()) });

/** Imports the robots of an organization. Their tokens cannot be read, so each gets a new one. */
async function importRobots(importing: Importing, organization: string): Promise<void> {
  const { source, target, report } = importing;
  const list = `${pathOf`/organization/${organization}/robots`}?token=false&permissions=false`;
  await attempt(report, { kind: "robot", name: organization }, async () => {
    const here = new Set((await listAll(target, list, lists.robots)).map(({ name }) => name));
    for await (const robot of readAll(source, list, lists.robots)) {
      const short = robot.name.slice(robot.name.indexOf("+") + 1);
      const { description, unstructured_metadata } = robot;
      const details = {
        description: description || undefined,
        unstructured_metadata: unstructured_metadata || undefined,
      };
      await importRobot(importing, { organization, short, details, isHere: here.has(robot.name) });
      await importFederations(importing, organization, short);
    }
  });
}

interface SourceRobot {
  readonly organization: string;
  readonly short: string;
  readonly details: object;
  readonly isHere: boolean;
}

async function importRobot(importing: Importing, { organization, short, details, isHere }: SourceRobot): Promise<void> {
  const { target, credentials } = importing;
  const path = pathOf`/organization/${organization}/robots/${short}`;
  await importItem(importing, {
    ...{ kind: "robot", name: `${organization}+${short}` },
    compare: async () => (isHere ? undefined : "missing"),
    async create() {
      const made = await target.send("PUT", path, details);
      if (made === undefined) return;
      const { name, token = "" } = (await read({ get: async () => made }, path, Made)) ?? { name: "" };
      await credentials.add({ kind: "robot", name, secret: token });
      return `has a new token, in ${credentials.path}`;
    },
  });
}

type Teams = NonNullable<Static<typeof Organization>["teams"]>;

/** Imports the teams of an organization and their members. */
async function importTeams(importing: Importing, organization: string, teams: Teams): Promise<void> {
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
