import { visitors } from "@plimsoll/registry/access/on-account";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { findEntities } from "../find-entities.ts";
import { Entity } from "../views.ts";

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
