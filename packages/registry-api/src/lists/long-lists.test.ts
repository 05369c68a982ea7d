import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counted } from "../fixtures/fill-registry.ts";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../fixtures/test-repositories.ts";

/** Two pages, of which the second is short. */
const many = 1_020;

/** A list that the contract answers whole: where it is, its member, and rows for it. */
interface LongList {
  readonly path: string;
  readonly member: string;
  /** What tells two rows apart; the name of the member for those that are objects by name. */
  readonly nameOf?: (row: never) => string;
  /** How many rows it has in the end; as many as are inserted where absent. */
  readonly rows?: number;
  /** Roles cannot be told apart. */
  readonly isAlike?: boolean;
  /** The caller, where it is not the owner of the organization. */
  readonly as?: "root";
  readonly insert: (ids: Ids) => string;
}

interface Ids {
  readonly acme: string;
  readonly app: string;
  readonly ann: string;
  readonly manifest: string;
}

/** Twice the same instant: then ids decide. */
const made = "i / 2";

/** A time of which invites have not ended. */
const notEnded = Date.UTC(2100, 0);

const lists: readonly LongList[] = [
  {
    path: "/repository/acme/app/permissions/user/",
    member: "permissions",
    rows: many + 1, // one is of its creator
    insert: ({ app }) => `insert into account_permission (repository_id, account_id, role) ${counted(many)}
      select '${app}', 'u' || i, 'read' from n`,
  },
  {
    path: "/repository/acme/app/permissions/team/",
    member: "permissions",
    insert: ({ app }) => `insert into team_permission (repository_id, team_id, role) ${counted(many)}
      select '${app}', 't' || i, 'read' from n`,
  },
  {
    path: "/repository/acme/app/permissions/user/user7/transitive",
    member: "permissions",
    rows: many + 1, // what itself and its teams are granted above
    isAlike: true,
    insert: () => `insert into team_member (team_id, account_id) ${counted(many)} select 't' || i, 'u7' from n`,
  },
  {
    path: "/organization/acme/prototypes",
    member: "prototypes",
    nameOf: ({ id }: { readonly id: string }) => id,
    insert: ({ acme }) => `insert into prototype (id, organization_id, delegate_account_id, role, created_at)
      ${counted(many)} select 'd' || i, '${acme}', 'u' || i, 'read', ${made} from n`,
  },
  {
    path: "/organization/acme/applications",
    member: "applications",
    nameOf: ({ client_id }: { readonly client_id: string }) => client_id,
    insert: ({
      acme,
    }) => `insert into oauth_application (client_id, organization_id, name, description, application_uri,
      redirect_uri, secret_sealed, created_at) ${counted(many)}
      select 'c' || i, '${acme}', 'application', '', '', '', '', ${made} from n`,
  },
  {
    path: "/user/authorizations",
    member: "authorizations",
    nameOf: ({ uuid }: { readonly uuid: string }) => uuid,
    insert: ({ ann }) => `insert into oauth_token (id, token_hash, client_id, account_id, scope, created_at, expires_at)
      ${counted(many)} select 'g' || i, 'g' || i, 'c1', '${ann}', 'repo:read', ${made}, 9007199254740991 from n`,
  },
  {
    path: "/user/assignedauthorization",
    member: "authorizations",
    nameOf: ({ uuid }: { readonly uuid: string }) => uuid,
    insert: ({ ann }) => `insert into oauth_assignment (id, client_id, account_id, scope, redirect_uri, created_at)
      ${counted(many)} select 'a' || i, 'c1', '${ann}', 'repo:read', '', ${made} from n`,
  },
  {
    path: "/user/apptoken",
    member: "tokens",
    nameOf: ({ uuid }: { readonly uuid: string }) => uuid,
    insert: ({ ann }) => `insert into app_token (id, account_id, title, token_hash, token_sealed, created_at)
      ${counted(many)} select 'p' || i, '${ann}', 'desk', 'p' || i, '', ${made} from n`,
  },
  {
    path: "/repository/acme/app/tokens/",
    member: "tokens",
    insert: ({ app }) => `insert into repository_token (id, repository_id, friendly_name, role, code_hash, code_sealed,
      created_at) ${counted(many)} select 'k' || i, '${app}', 'deploy', 'read', 'k' || i, '', ${made} from n`,
  },
  {
    path: "/repository/acme/app/manifest/$digest/labels",
    member: "labels",
    rows: 2 * many, // those of the next list too
    nameOf: ({ id }: { readonly id: string }) => id,
    insert: ({
      manifest,
    }) => `insert into manifest_label (id, manifest_id, key, value, source_type, media_type, created_at)
      ${counted(many)} select 'l' || i, '${manifest}', 'key' || (i % 3), '', 'api', 'text/plain', ${made} from n`,
  },
  {
    path: "/repository/acme/app/manifest/$digest/labels?filter=word",
    member: "labels",
    nameOf: ({ id }: { readonly id: string }) => id,
    insert: ({
      manifest,
    }) => `insert into manifest_label (id, manifest_id, key, value, source_type, media_type, created_at)
      ${counted(many)} select 'w' || i, '${manifest}', 'word' || (i % 3), '', 'api', 'text/plain', ${made} from n`,
  },
  {
    path: "/organization/acme/team/team1/members",
    member: "members",
    rows: many + 1, // user7 is in all teams
    nameOf: ({ name }: { readonly name: string }) => name,
    insert: () => `insert into team_member (team_id, account_id) ${counted(many)}
      select 't1', 'u' || i from n where i <> 7 union all select 't1', 'other' from n where i = 7`,
  },
  {
    path: "/organization/acme/team/team1/members?includePending=true",
    member: "members",
    rows: 2 * many + 1,
    nameOf: ({ name, email }: { readonly name?: string; readonly email?: string }) => name ?? email ?? "",
    insert: ({ ann }) => `insert into team_invite (id, team_id, email, inviter_id, created_at) ${counted(many)}
      select 'i' || i, 't1', 'mail' || i || '@example.com', '${ann}', ${notEnded} + ${made} from n`,
  },
  {
    path: "/organization/acme/team/team2/permissions",
    member: "permissions",
    rows: many + 1, // one is of the repository app
    nameOf: ({ repository }: { readonly repository: { readonly name: string } }) => repository.name,
    insert: () => `insert into team_permission (repository_id, team_id, role) ${counted(many)}
      select 'r' || i, 't2', 'read' from n`,
  },
  {
    path: "/organization/acme/robots/ci/permissions",
    member: "permissions",
    nameOf: ({ repository }: { readonly repository: { readonly name: string } }) => repository.name,
    insert: () => `insert into account_permission (repository_id, account_id, role) ${counted(many)}
      select 'r' || i, 'ci', 'read' from n`,
  },
  {
    path: "/repository/acme/app/notification/",
    member: "notifications",
    nameOf: ({ uuid }: { readonly uuid: string }) => uuid,
    insert: ({ app }) => `insert into event_notification (id, repository_id, event, method, config, event_config,
      failures, created_at) ${counted(many)} select 'n' || i, '${app}', 'repo_push', 'webhook', '{}', '{}', 0, ${made} from n`,
  },
  ...["/organization/acme/autoprunepolicy/", "/repository/acme/app/autoprunepolicy/"].map((path, index) => ({
    path,
    member: "policies",
    nameOf: ({ uuid }: { readonly uuid: string }) => uuid,
    insert: ({ acme, app }: Ids) => `insert into prune_policy (id, namespace_id, repository_id, method, value,
      tag_pattern_matches, created_at) ${counted(many)}
      select 'y${index}' || i, '${acme}', ${index === 0 ? "null" : `'${app}'`}, 'number_of_tags', '1', 1, ${made} from n`,
  })),
  {
    path: "/superuser/keys",
    member: "keys",
    as: "root",
    nameOf: ({ kid }: { readonly kid: string }) => kid,
    insert: () => `insert into service_key (kid, service, name, jwk, metadata, created_at) ${counted(many)}
      select 'kid' || i, 'scanner', '', '{}', '{}', ${made} from n`,
  },
  {
    path: "/messages",
    member: "messages",
    nameOf: ({ uuid }: { readonly uuid: string }) => uuid,
    insert: () => `insert into global_message (id, content, severity, media_type, created_at) ${counted(many)}
      select 'm' || i, 'Hello', 'info', 'text/plain', ${made} from n`,
  },
];

/** What the lists are about: users, teams, repositories and a robot. */
function scenery({ acme }: Ids): readonly string[] {
  const account =
    "insert into account (id, kind, username, verified, enabled, credential_version, invoice_email, tag_expiration_s, profile, created_at)";
  const rest = "1, 1, 1, 0, 0, '{}', 0";
  return [
    `${account} ${counted(many)} select 'u' || i, 'user', 'user' || i, ${rest} from n`,
    `${account} values ('other', 'user', 'other', ${rest}), ('ci', 'robot', 'acme+ci', ${rest})`,
    `insert into robot (account_id, owner_id, short_name, description, metadata, token_sealed, token_hash)
      values ('ci', '${acme}', 'ci', '', '{}', '', '')`,
    `insert into team (id, organization_id, name, role, description, created_at) ${counted(many)}
      select 't' || i, '${acme}', 'team' || i, 'member', '', 0 from n`,
    `insert into image_repository (id, namespace_id, name, kind, visibility, state, description, badge_token, size_bytes,
      created_at) ${counted(many)}
      select 'r' || i, '${acme}', 'repository' || i, 'image', 'private', 'NORMAL', '', '', 0, 0 from n`,
  ];
}

interface Place {
  readonly registry: TestRegistry;
  readonly ids: Ids;
  readonly digest: string;
  readonly callers: { readonly ann: Call; readonly root: Call };
}

async function openPlace(engine: TestEngine): Promise<Place> {
  const registry = await openTestRegistry({ engine });
  const { db } = registry.store;
  const ann = await registry.user("ann");
  const root = await registry.session(await registry.user("root"));
  const acme = await registry.organization("acme", { admin: [ann] });
  const app = await putRepository(registry, { namespace: acme, name: "app", creator: ann });
  const manifest = await putManifest(registry, app, { content: { layers: [] } });
  await putTag(registry, app, { name: "latest", manifest });
  const ids = { acme: acme.id, app: app.id, ann: ann.id, manifest: manifest.id };
  const inserts = lists.map(({ insert }) => insert(ids));
  for (const statement of [...scenery(ids), ...inserts]) await sql.raw(statement).execute(db);
  return { registry, ids, digest: manifest.digest, callers: { ann: await registry.session(ann), root } };
}

/** The rows of an answer as texts by which they can be told apart. */
function rowsOf(body: Readonly<Record<string, unknown>>, { member, nameOf }: LongList): readonly string[] {
  const rows = body[member] as readonly never[] | Readonly<Record<string, unknown>>;
  if (!Array.isArray(rows)) return Object.keys(rows);
  return rows.map((row) => nameOf?.(row as never) ?? JSON.stringify(row));
}

function withToken(path: string, token: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}next_page=${encodeURIComponent(token)}`;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a list of more than 1,000 rows on $title",
  ({ engine }) => {
    describe.skipIf(engine.skip !== undefined)("", () => {
      let place: Place;
      beforeAll(async () => {
        place = await openPlace(engine);
      });
      afterAll(() => place.registry[Symbol.asyncDispose]());

      it.each(lists)("$path comes in pages of which each row is on one", async (list) => {
        const call = place.callers[list.as ?? "ann"];
        const path = list.path.replace("$digest", place.digest);
        const found: string[] = [];
        const lengths: number[] = [];
        for (let token: string | undefined = ""; token !== undefined && lengths.length < 5; ) {
          const { status, body } = await call("GET", withToken(path, token));
          expect([status, body]).toEqual([200, expect.anything()]);
          const rows = rowsOf(body, list);
          found.push(...rows);
          lengths.push(rows.length);
          token = body.next_page;
        }
        const spoilt = await call("GET", withToken(path, "rubbish"));

        const { rows = many } = list;
        expect(lengths).toEqual([...Array(Math.floor(rows / 1000)).fill(1000), rows % 1000]);
        if (!list.isAlike) expect(new Set(found).size).toBe(rows);
        expect(spoilt.status).toBe(400);
      });

      it("takes no page of another list", async () => {
        const { ann } = place.callers;
        const { body } = await ann("GET", "/organization/acme/team/team2/permissions");

        const other = await ann("GET", withToken("/organization/acme/team/team1/permissions", body.next_page));

        expect(other.status).toBe(400);
      });
    });
  },
);
