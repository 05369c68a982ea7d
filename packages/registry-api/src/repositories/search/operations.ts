import { visitors } from "@plimsoll/registry/access/on-account";
import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { findEntities } from "./find-entities.ts";
import { findEverything, findRepositories } from "./search.ts";
import { Entity, FoundNamespace, FoundRepositoryView, FoundRobotView, FoundTeamView } from "./views.ts";

const tag = "search";
const query = Type.Optional(Type.String({ maxLength: 255, description: "Part of a name, or namespace/part" }));

const conductRepoSearch = operation({
  id: "conductRepoSearch",
  method: "GET",
  path: "/find/repositories",
  summary: "Repositories by name, 100 at most.",
  tag,
  internal: true,
  access: visitors,
  query: Type.Object({ query, page: Type.Optional(Type.Integer({ maximum: 10_000, description: "From 1" })) }),
  success: 200,
  result: Type.Object({
    results: Type.Array(FoundRepositoryView),
    has_additional: Type.Boolean(),
    page: Type.Integer(),
    page_size: Type.Integer(),
    start_index: Type.Integer(),
  }),
  handle: ({ query: { query: text = "", page } }, context) => findRepositories(context, text, page),
});

const conductSearch = operation({
  id: "conductSearch",
  method: "GET",
  path: "/find/all",
  summary: "Namespaces, repositories, and the caller's teams and robots, by name.",
  tag,
  internal: true,
  access: visitors,
  query: Type.Object({ query }),
  success: 200,
  result: Type.Object({
    results: Type.Array(Type.Union([FoundNamespace, FoundTeamView, FoundRobotView, FoundRepositoryView])),
  }),
  handle: ({ query: { query: text = "" } }, context) => findEverything(context, text),
});

/** Operations that search by name. */
export const searchOperations = [conductRepoSearch, conductSearch];

const getMatchingEntities = operation({
  id: "getMatchingEntities",
  method: "GET",
  path: "/entities/{prefix}",
  summary: "Users, teams and robots that can get a role, by the beginning of their names.",
  tag: "search",
  internal: true,
  access: visitors,
  query: Type.Object({
    namespace: Type.Optional(Type.String({ maxLength: 255, description: "Whose robots and teams are found too" })),
    includeTeams: Type.Optional(Type.Boolean({ description: "Whether teams are found" })),
    includeOrgs: Type.Optional(Type.Boolean({ description: "Whether organizations are found" })),
  }),
  success: 200,
  result: Type.Object({ results: Type.Array(Entity) }),
  async handle({ params, query }, context) {
    const { namespace, includeTeams: withTeams = false, includeOrgs: withOrganizations = false } = query;
    const prefix = params.prefix.toLowerCase();
    return { results: await findEntities(context, { prefix, namespace, withTeams, withOrganizations }) };
  },
});

/** The operation that finds accounts and teams to which a role can be granted. */
export const entityOperations = [getMatchingEntities];
