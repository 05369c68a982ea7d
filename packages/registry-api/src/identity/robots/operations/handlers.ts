import { checkNotRestricted } from "@plimsoll/registry/access/principal";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { listRolesOf, listRolesOfOne, listTeamsOf } from "@plimsoll/registry/accounts/queries";
import {
  compareRobots,
  findRobots,
  listRobotSortKeys,
  type RobotRow,
} from "@plimsoll/registry/identity/robots/queries";
import { createRobot, deleteRobot, getRobot, regenerateRobot } from "@plimsoll/registry/identity/robots/robots";
import { byId, ListPageQuery, listLength, listPages, readListPage } from "@plimsoll/registry/lists/list-pages";
import { formatPageToken, pageOf, parsePageToken } from "@plimsoll/registry/lists/page-tokens";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import { repositoryRolesView } from "../../../accounts/views.ts";
import type { OperationContext } from "../../../context.ts";
import { type Robot, type RobotList, RobotMetadata, robotMemberships, robotView } from "../views.ts";

/** The query of a list of robots. */
export const RobotQuery = Type.Object({
  ...ListPageQuery.properties,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: `Robots at most; a page has up to ${listLength}` }),
  ),
  token: Type.Optional(Type.Boolean({ description: "Whether to show tokens; default: true" })),
  permissions: Type.Optional(Type.Boolean({ description: "Whether to show teams and repositories" })),
});
export type RobotQuery = Static<typeof RobotQuery>;

/** The body of a request that creates a robot. */
export const NewRobot = Type.Object({
  description: Type.Optional(Type.String({ maxLength: 255 })),
  unstructured_metadata: Type.Optional(RobotMetadata),
});
export type NewRobot = Static<typeof NewRobot>;

/** The descriptions of the path's parameters. */
export const robotParams = { robot_shortname: "The name of the robot, without the namespace" };

/** A namespace, one of its robots by short name, and what the caller may see of it. */
export interface RobotTarget {
  readonly owner: AccountRow;
  readonly params: Readonly<Record<string, string>>;
  /** Whether tokens may be shown. */
  readonly seesTokens?: boolean;
  /** Whether teams and repositories may be shown. */
  readonly seesRoles?: boolean;
}

/** A page of the robots of a namespace, the last used first. */
export async function showRobots(
  context: OperationContext,
  { owner, seesTokens = false, seesRoles = false }: Omit<RobotTarget, "params">,
  { token = true, permissions = false, ...page }: RobotQuery,
) {
  const { db, secrets } = context;
  const { robots, ...next } = await pageOfRobots(context, owner, page);
  const sealer = token && seesTokens ? secrets : undefined;
  const yieldToOthers = cooperativeYield();
  const shown: Static<typeof RobotList>["robots"] = [];
  for (const some of inSteps(robots)) {
    const ids = some.map(({ id }) => id);
    const rolesOf =
      permissions && seesRoles
        ? robotMemberships(await listTeamsOf(db, owner.id, ids), await listRolesOf(db, owner.id, ids))
        : undefined;
    for (const robot of some) shown.push({ ...robotView(robot, sealer), ...rolesOf?.(robot) });
    await yieldToOthers();
  }
  return { robots: shown, ...next };
}

/** How many robots are read at a time, with their roles and tokens. */
const stepLength = 100;

function inSteps<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / stepLength);
  return Array.from({ length: count }, (_, index) => items.slice(index * stepLength, (index + 1) * stepLength));
}

async function pageOfRobots(
  context: OperationContext,
  owner: AccountRow,
  { limit, next_page }: Pick<RobotQuery, "limit" | "next_page">,
): Promise<{ readonly robots: readonly RobotRow[]; readonly next_page?: string }> {
  const pages = listPages(context, "robots", owner.id);
  const [used, name] = parsePageToken(pages, next_page) ?? [];
  const places = await listRobotSortKeys(context.db, owner.id);
  const after = name === undefined ? undefined : { username: String(name), last_accessed_at: Number(used) || null };
  const left = after === undefined ? places : places.filter((place) => compareRobots(place, after) > 0);
  const { rows, ...next } = pageOf(left, Math.min(limit ?? listLength, listLength), (row) =>
    formatPageToken(pages, [row.last_accessed_at ?? 0, row.username]),
  );
  const ids = rows.map(({ id }) => id);
  const found = await findRobots(context.db, owner.id, ids);
  const robots = ids.flatMap((id) => found.get(id) ?? []);
  return (limit ?? Number.POSITIVE_INFINITY) <= listLength ? { robots } : { robots, ...next };
}

/** A robot with its metadata, as clients see it. */
export async function showRobot(
  { db, secrets }: OperationContext,
  { owner, params, seesTokens = false }: RobotTarget,
): Promise<Robot> {
  const robot = await getRobot(db, owner, shortNameOf(params));
  return { ...robotView(robot, seesTokens ? secrets : undefined), unstructured_metadata: JSON.parse(robot.metadata) };
}

/** Creates a robot. @returns it as clients see it */
export async function putRobot(
  context: OperationContext<"create_robot">,
  { owner, params }: RobotTarget,
  { description = "", unstructured_metadata = {} }: NewRobot,
): Promise<Robot> {
  checkNotRestricted(owner);
  const shortName = shortNameOf(params);
  const robot = await createRobot(context, { owner, shortName, description, metadata: unstructured_metadata });
  await context.log("create_robot", { robot: shortName, description, unstructured_metadata });
  return { ...robotView(robot, context.secrets), unstructured_metadata };
}

/** Deletes a robot. */
export async function removeRobot(
  { db, log }: OperationContext<"delete_robot">,
  { owner, params }: RobotTarget,
): Promise<void> {
  checkNotRestricted(owner);
  const robot = await getRobot(db, owner, shortNameOf(params));
  await deleteRobot(db, robot);
  await log("delete_robot", { robot: robot.short_name });
}

/** A page of the roles that are granted to a robot itself. */
export async function showRobotPermissions(
  context: OperationContext,
  { owner, params }: RobotTarget,
  query: ListPageQuery,
) {
  const { id: accountId } = await getRobot(context.db, owner, shortNameOf(params));
  const robot = { namespaceId: owner.id, accountId };
  const list = { list: "robot permissions", ownerId: accountId, query, ...byId } as const;
  return repositoryRolesView(await readListPage(context, list, (from) => listRolesOfOne(context.db, robot, from)));
}

/** Replaces the token of a robot. @returns the robot with the new token */
export async function renewRobotToken(
  { db, secrets, log }: OperationContext<"regenerate_robot_token">,
  { owner, params }: RobotTarget,
): Promise<Robot> {
  checkNotRestricted(owner);
  const robot = await regenerateRobot(db, await getRobot(db, owner, shortNameOf(params)), secrets);
  await log("regenerate_robot_token", { robot: robot.short_name });
  return robotView(robot, secrets);
}

function shortNameOf({ robot_shortname = "" }: Readonly<Record<string, string>>): string {
  return robot_shortname;
}
