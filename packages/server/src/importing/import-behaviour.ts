import { isDeepStrictEqual } from "node:util";
import { Type } from "typebox";
import type { ImportedRepository } from "./import-permissions.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { type ItemOf, listAll, read, readAll } from "./management-api.ts";
import { lists, Mirror, Repository } from "./shapes.ts";

type Notification = ItemOf<typeof lists.notifications>;

const MadeNotification = Type.Object({ secret: Type.Optional(Type.String()) });

/**
 * Imports the notifications of a repository or an organization. One that signs its deliveries gets a new secret.
 * @param path of their list
 * @param owner the name of the repository or the organization
 */
export async function importNotifications(importing: Importing, path: string, owner: string): Promise<void> {
  const { source, target, report, credentials } = importing;
  const bodyOf = ({ event, method, title, config, event_config, eventConfig }: Notification) => ({
    ...{ event, method, config, eventConfig: eventConfig ?? event_config ?? {} },
    title: title || undefined,
  });
  await attempt(report, { kind: "notification", name: owner }, async () => {
    const here = (await listAll(target, path, lists.notifications)).map(bodyOf);
    for await (const notification of readAll(source, path, lists.notifications)) {
      const body = bodyOf(notification);
      const { event, method, title = "" } = body;
      const name = `${owner}: ${event} by ${method} ${title}`.trim();
      await importItem(importing, {
        ...{ kind: "notification", name },
        compare: async () => (here.some((each) => isDeepStrictEqual(each, body)) ? undefined : "missing"),
        async create() {
          const made = await target.send("POST", path, body);
          const shown = await read({ get: async () => made }, path, MadeNotification);
          if (shown?.secret === undefined) return;
          await credentials.add({ kind: "notification", name, secret: shown.secret });
          return `has a new secret, in ${credentials.path}`;
        },
      });
    }
  });
}

/** Imports the mirror configuration of a repository. One with a user is not enabled, because its password cannot be read. */
export async function importMirror(importing: Importing, { path, repository }: ImportedRepository): Promise<void> {
  const { source, target, report, now } = importing;
  await attempt(report, { kind: "mirror", name: repository }, async () => {
    const there = await read(source, `${path}/mirror`, Mirror);
    if (there === undefined) return;
    const { external_registry_username: login, sync_start_date, skopeo_timeout_interval, ...mirror } = there;
    await importItem(importing, {
      ...{ kind: "mirror", name: repository },
      compare: async () => ((await target.get(`${path}/mirror`)) === undefined ? "missing" : undefined),
      async create() {
        await target.send("POST", `${path}/mirror`, {
          ...{ is_enabled: mirror.is_enabled && !login, external_reference: mirror.external_reference },
          ...{
            sync_interval: mirror.sync_interval,
            root_rule: mirror.root_rule,
            robot_username: mirror.robot_username,
          },
          sync_start_date: sync_start_date ?? new Date(now()).toISOString().replace(/\.\d+Z$/, "Z"),
          external_registry_config: mirror.external_registry_config,
          external_registry_username: login || undefined,
          skopeo_timeout_interval: skopeo_timeout_interval || undefined,
        });
        return login ? `the password of ${login} cannot be read: set it, and enable the mirror` : undefined;
      },
    });
  });
}

/** Imports the state of a repository, which says whether it accepts pushes. */
export async function importState(
  importing: Importing,
  { path, repository, state }: ImportedRepository & { readonly state: string },
): Promise<void> {
  const { target } = importing;
  if (state === "NORMAL") return;
  await importItem(importing, {
    ...{ kind: "state", name: repository },
    async compare() {
      const here = await read(target, `${path}?includeTags=false`, Repository);
      if (here?.state === state) return undefined;
      return here === undefined || here.state === "NORMAL" ? "missing" : `is ${here.state} here, and ${state} there`;
    },
    create: () => target.send("PUT", `${path}/changestate`, { state }),
  });
}
