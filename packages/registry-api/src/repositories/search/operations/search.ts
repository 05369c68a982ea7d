import { visitors } from "@plimsoll/registry/access/on-account";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { findEverything, findRepositories } from "../search.ts";
import { FoundNamespace, FoundRepositoryView, FoundRobotView, FoundTeamView } from "../views.ts";

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
