import { importNotifications } from "./import-behaviour.ts";
import { importGate, importIgnoreRules, importImmutability, reportProxyCache } from "./import-protections.ts";
import { importRepository } from "./import-repository.ts";
import { importRobots } from "./import-robots.ts";
import { importPrototypes, importPrunePolicies, importQuota } from "./import-rules.ts";
import { importTeams } from "./import-teams.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { NotImported, pathOf, read, readAll } from "./management-api.ts";
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
