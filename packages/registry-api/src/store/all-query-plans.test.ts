import { collectExpiredJob } from "@plimsoll/registry/administration/jobs";
import { collectGarbageJob, collectionJobs, planCollectionJob } from "@plimsoll/registry/lifecycle/collection/jobs";
import { countActionsJob } from "@plimsoll/registry/repositories/count-actions";
import { explainChosen, explainStatement } from "@plimsoll/registry/store/fixtures/explain-statements";
import { registryMigrations } from "@plimsoll/registry/store/migrations/all";
import type { RegistryTables } from "@plimsoll/registry/store/tables/all";
import { openStore, runDueJobs, systemTime } from "@plimsoll/store";
import { engineTitle, longTestEngines, type TestEngine } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type FillSizes, fillRegistry, fillSizes } from "../fixtures/fill-registry.ts";
import { openTestDistribution } from "../fixtures/test-distribution.ts";
import { openCast } from "../golden/fixtures/cast.ts";
import { requestOf, usernameOf } from "../golden/fixtures/examples.ts";
import { firstAdmitted, readGolden } from "../golden/fixtures/read-golden.ts";
import { openWorld } from "../golden/fixtures/world.ts";

/** Statements that may be costly, and why they delay no request. */
const allowed: readonly { readonly text: RegExp; readonly why: string }[] = [
  { text: /from "usage_log" order by "id" desc limit/, why: "one row, in the order of the table" },
  { text: /^select "id" from "account" where "kind" = \S+ limit /, why: "ends at the first user" },
  { text: /from "(global_message|service_key)"/, why: "an installation has few" },
  {
    text: /order by .*"?quota_limit"?\."threshold_percent"/,
    why: "an account has one quota of a few limits, and a page few accounts",
  },
  { text: /from "quota_limit" where "quota_id" = /, why: "a quota has few limits" },
  {
    text: /from "team" where "organization_id" = .* and "role" = .* order by/,
    why: "sorts the admin teams of one organization",
  },
  { text: /from "team" left join "team_sync"/, why: "sorts the teams of one organization, which are all shown" },
  {
    text: /where "team_member"\."account_id" = .* order by "account"\."username"/,
    why: "sorts the organizations of one user",
  },
  { text: /union select id from \(select r\.id/, why: "sorts parts of which each is a page, read in an index" },
  {
    text: /"image_repository"\."name" like /,
    why: "no index knows parts of names; those of public repositories are in one",
  },
  { text: /order by \+tag\.start_at desc limit/, why: "sorts what one tag was" },
  {
    text: /from repository_star[\s\S]* limit \?\) as "listed"|from repository_star[\s\S]* limit \$\d+\) as "listed"/,
    why: "sorts a page",
  },
  { text: /from "team_invite" .* where \("team_invite"\."account_id" = /, why: "sorts the invites of one user" },
  { text: /as "granted" inner join "image_repository"/, why: "sorts what one account was granted" },
  { text: /row_number\(\) over \(partition by id order by name\)/, why: "sorts the tags of a page of images" },
  { text: /limit (?:\?|\$\d+) offset (?:\?|\$\d+)\) as "listed" inner join "tag"/, why: "sorts a page of tags" },
  { text: /where "manifest_child"\."child_id" = .* order by/, why: "sorts the indexes that list one image" },
  {
    text: /^select (?:"id"|count\(\*\) as "repositories") from "image_repository" where "state" = 'deleted'/,
    why: "reads the index of those that wait to be collected",
  },
];

/** Sets a key to what it is, say to lock a row: SQLite counts all rows that refer to it then, however many those are. */
const setsKey = /^update "\w+" set (?:.*, )?"id" = /;

/** As large as a table has to be for PostgreSQL to choose an index of it; the largest ones are at a smaller part. */
const sizes: FillSizes = { ...fillSizes(0.1), tags: 20_000, logs: 100_000 };

/** What the database was given, and for what. */
type Statements = Map<string, string>;

/** Does each operation as the first who may. */
async function doOperations(engine: TestEngine, statements: Statements): Promise<void> {
  let doing: string | undefined;
  const note = (text: string) => doing !== undefined && !statements.has(text) && statements.set(text, doing);
  const world = await openWorld(engine, {}, note);
  await using _ = world.registry;
  const cast = await openCast(world);
  world.rehearsal.on = true;
  for (const operation of readGolden()) {
    const caller = firstAdmitted(operation);
    const { path, body } = requestOf(operation, world, { username: usernameOf(caller) });
    doing = operation.id;
    await cast(operation, caller, "session")(operation.method, path, body);
    doing = undefined;
  }
}

/** Pushes, pulls and deletes images, and collects what is left of them and of a namespace. */
async function doContent(engine: TestEngine, statements: Statements): Promise<void> {
  let doing: string | undefined;
  const onStatement = (text: string) => doing !== undefined && !statements.has(text) && statements.set(text, doing);
  await using world = await openTestDistribution({ engine, onStatement });
  const { registry, store, blobs, send } = world;
  const root = await registry.session(await registry.user("root"));
  doing = "pushes";
  await world.pushImage("alice/images", "latest", { labels: { a: "b" } });
  await world.pushImage("alice/images", "older");
  await world.pushImage("alice/other", "latest");
  doing = "pulls";
  for (const path of ["manifests/latest", "tags/list", `referrers/sha256:${"5".repeat(64)}`]) {
    await send("GET", `alice/images/${path}`);
  }
  await send("GET", "_catalog");
  doing = "deletes";
  await send("DELETE", "alice/images/manifests/older");
  doing = "jobs";
  await root("DELETE", "/superuser/users/alice");
  registry.time.now += 40 * 86_400_000;
  const clock = { now: () => registry.time.now };
  const working = { store, blobs, clock };
  await runDueJobs({ store, jobs: collectionJobs(working), clock, random: () => 0, sleep: systemTime.sleep });
  const job = { payload: {}, attempts: 1, maxAttempts: 1 };
  for (const kind of [collectGarbageJob, planCollectionJob, collectExpiredJob, countActionsJob]) {
    await kind.withContext(working).run({ job, signal: new AbortController().signal } as never);
  }
}

const engines = longTestEngines;

describe.each(engines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "the statements of the registry on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "read no large table as a whole, and sort nothing that grows, in a large database",
      async () => {
        const statements: Statements = new Map();
        await doOperations(engine, statements);
        await doContent(engine, statements);
        await using database = await engine.create();
        await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });
        await fillRegistry(store.db, sizes, Date.UTC(2026, 10, 21));
        await sql`analyze`.execute(store.db);

        const costly: string[] = [];
        for (const [text, doing] of statements) {
          if (!/^\s*(select|with|update|delete|insert)\b/i.test(text)) continue;
          if (allowed.some((each) => each.text.test(text))) continue;
          const plan = [...(await explainStatement(store, text)), ...(await explainChosen(store, text))];
          if (setsKey.test(text)) plan.push("sets a key");
          if (plan.length > 0) costly.push(`${doing}: ${text}\n  ${plan.join("\n  ")}`);
        }

        expect(costly).toEqual([]);
        expect(statements.size).toBeGreaterThan(250);
      },
      120_000,
    );
  },
);
