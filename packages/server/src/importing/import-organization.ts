import { importGate, importIgnoreRules, importImmutability, reportProxyCache } from "./import-protections.ts";
import { importRepository } from "./import-repository.ts";
import { importRobots } from "./import-robots.ts";
import { importPrototypes, importPrunePolicies, importQuota } from "./import-rules.ts";
import { importTeams } from "./import-teams.ts";
import { attempt, type Importing, take } from "./importing.ts";
import { NotTaken, pathOf, read, readAll } from "./management-api.ts";
import { lists, Organization } from "./shapes.ts";

/**
 * Takes an organization over with all that belongs to it. What limits it comes last, so that nothing of it is refused or removed
 * while it is not complete.
 */
export async function importOrganization(importing: Importing, organization: string): Promise<void> {
  const { source, report } = importing;
  const here = { kind: "organization", name: organization } as const;
  let seen: Seen | undefined;
  const isHere = await attempt(report, here, async () => {
    seen = await readOrganization(importing, organization);
    if (!(await makeOrganization(importing, seen))) seen = undefined;
  });
  if (!isHere || seen === undefined) return;
  await importRobots(importing, organization);
  await importTeams(importing, organization, seen.teams ?? {});
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
  await importPrunePolicies(importing, pathOf`/organization/${organization}/autoprunepolicy/`, organization);
  await importImmutability(importing, pathOf`/organization/${organization}`, organization);
  await importIgnoreRules(importing, pathOf`/organization/${organization}`, organization);
  await importGate(importing, pathOf`/organization/${organization}`, organization);
  await importQuota(importing, organization);
  await reportProxyCache(importing, organization);
}

type Seen = NonNullable<Awaited<ReturnType<typeof readOrganization>>>;

async function readOrganization({ source }: Importing, organization: string) {
  const seen = await read(source, pathOf`/organization/${organization}`, Organization);
  if (seen === undefined) throw new NotTaken("the source has no such organization, or does not show it");
  if (!seen.is_admin) throw new NotTaken("the token is of a user who does not administer it");
  return seen;
}

function makeOrganization(importing: Importing, seen: Seen): Promise<boolean> {
  const { target } = importing;
  const { name, email, invoice_email, invoice_email_address, tag_expiration_s } = seen;
  const path = pathOf`/organization/${name}`;
  return take(importing, {
    ...{ kind: "organization", name },
    look: async () => ((await target.get(path)) === undefined ? "missing" : undefined),
    async make() {
      await target.send("POST", "/organization/", { name, ...(email && { email }) });
      await target.send("PUT", path, {
        ...(invoice_email !== undefined && { invoice_email }),
        ...(invoice_email_address && { invoice_email_address }),
        ...(typeof tag_expiration_s === "number" && { tag_expiration_s }),
      });
    },
  });
}
