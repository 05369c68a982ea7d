import { onSelf } from "@plimsoll/registry/access/on-account";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { PageToken } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { listStarredRepositories, star, unstar } from "../stars.ts";

const tag = "repository";

const createStar = operation({
  id: "createStar",
  keeps: "stars",
  method: "POST",
  path: "/user/starred",
  summary: "Star a repository.",
  tag,
  internal: true,
  access: onSelf(),
  body: Type.Object({ namespace: Type.String({ maxLength: 255 }), repository: Type.String({ maxLength: 255 }) }),
  success: 201,
  result: Type.Object({ namespace: Type.String(), repository: Type.String() }),
  handle: ({ subject, body }, context) => star(subject.account, body, context),
});

const listStarredRepos = operation({
  id: "listStarredRepos",
  method: "GET",
  path: "/user/starred",
  summary: "The repositories that the caller has starred.",
  tag,
  internal: true,
  access: onSelf(),
  query: Type.Object({ next_page: Type.Optional(PageToken) }),
  success: 200,
  result: Type.Object({
    repositories: Type.Array(
      Type.Object({
        namespace: Type.String(),
        name: Type.String(),
        description: Type.String(),
        is_public: Type.Boolean(),
      }),
    ),
    next_page: Type.Optional(Type.String()),
  }),
  handle: ({ query }, context) => listStarredRepositories(query.next_page, context),
});

const deleteStar = operation({
  id: "deleteStar",
  method: "DELETE",
  path: "/user/starred/{repository}",
  summary: "Take the star from a repository.",
  tag,
  internal: true,
  access: onSelf(),
  success: 204,
  handle: ({ subject, params }, context) => unstar(subject.account, splitRepository(params.repository), context),
});

/** Operations on stars. */
export const starOperations = [createStar, listStarredRepos, deleteStar];
