import { onSelf, visitors } from "@plimsoll/registry/access/on-account";
import { onRepository, splitRepository } from "@plimsoll/registry/access/on-repository";
import { deleteRepository as takeAway } from "@plimsoll/registry/lifecycle/collection/deletions";
import { findParameters, orderParameter, PageToken, totalOfList } from "@plimsoll/registry/lists/list-pages";
import { changeState, changeVisibility, describeRepository } from "@plimsoll/registry/repositories/change-repository";
import { listRepositories } from "@plimsoll/registry/repositories/list-repositories";
import { createRepositoryFor } from "@plimsoll/registry/repositories/new-repository";
import type { ListedRepository } from "@plimsoll/registry/repositories/queries/listed-repositories";
import { star, unstar } from "@plimsoll/registry/repositories/stars";
import { type Static, Type } from "typebox";
import { featureOff } from "../access/public-access.ts";
import { operation } from "../operation.ts";
import { listElementOf, RepositoryListElement, RepositoryView, viewRepository } from "./view-repository.ts";

const tag = "repository";

const Visibility = Type.Enum(["public", "private"]);

const Description = Type.String({ maxLength: 25_000, description: "Markdown" });

const Success = Type.Object({ success: Type.Literal(true) });

const success = { success: true } as const;

const NewRepository = Type.Object({
  repository: Type.String({ maxLength: 1000 }),
  visibility: Visibility,
  description: Description,
  namespace: Type.Optional(Type.String({ maxLength: 255, description: "Default: the caller's own" })),
  repo_kind: Type.Optional(Type.Union([Type.Literal("image"), Type.Null()])),
});

const createRepo = operation({
  id: "createRepo",
  audit: ["create_repo"],
  method: "POST",
  path: "/repository",
  summary: "Make a repository.",
  tag,
  access: { ...onSelf("repo:create"), admits: ["namespace creator", "full-access superuser"] }, // the body names the namespace
  body: NewRepository,
  success: 201,
  result: Type.Object({ namespace: Type.String(), name: Type.String(), kind: Type.String() }),
  handle: ({ subject, body }, context) => createRepositoryFor(subject.account, body, context),
});

const listRepos = operation({
  id: "listRepos",
  method: "GET",
  path: "/repository",
  summary: "Repositories that the caller sees: of a namespace, starred, or with all that are public.",
  tag,
  access: { ...visitors, scope: "repo:read" },
  query: Type.Object({
    next_page: Type.Optional(PageToken),
    repo_kind: Type.Optional(Type.String({ maxLength: 255 })),
    popularity: Type.Optional(Type.Boolean()),
    last_modified: Type.Optional(Type.Boolean()),
    public: Type.Optional(Type.Boolean({ description: "Whether to include public repositories" })),
    starred: Type.Optional(Type.Boolean({ description: "Only repositories that the caller has starred" })),
    namespace: Type.Optional(Type.String({ maxLength: 255 })),
    order: orderParameter(["name", "size", "changed"], "only with a namespace; as they were made"),
    ...findParameters,
    daily_pulls: Type.Optional(Type.Boolean({ description: "With how often each was pulled, by day; Plimsoll's own" })),
    severities: Type.Optional(
      Type.Boolean({ description: "With how many vulnerabilities the newest tag of each has; Plimsoll's own" }),
    ),
  }),
  success: 200,
  result: Type.Object({
    repositories: Type.Array(RepositoryListElement),
    next_page: Type.Optional(Type.String()),
    ...totalOfList,
  }),
  async handle({ query }, context) {
    const { rows, ...next } = await listRepositories(query, context);
    return { repositories: rows.map((each) => listElementOf(each, query, context)), ...next };
  },
});

const getRepo = operation({
  id: "getRepo",
  versionMembers: ["description", "is_public", "state"],
  method: "GET",
  path: "/repository/{repository}",
  summary: "A repository.",
  tag,
  access: onRepository("read"),
  query: Type.Object({
    includeTags: Type.Optional(Type.Boolean({ description: "With its newest tags, 500 at most; true by default" })),
    includeStats: Type.Optional(Type.Boolean({ description: "With its activity in the last three months" })),
    pullTag: Type.Optional(Type.Boolean({ description: "With the tag that a client should pull; Plimsoll's own" })),
  }),
  success: 200,
  result: RepositoryView,
  handle: ({ subject, query }, context) => viewRepository(subject, query, context),
});

const updateRepo = operation({
  id: "updateRepo",
  version: getRepo,
  audit: ["set_repo_description"],
  method: "PUT",
  path: "/repository/{repository}",
  summary: "Describe a repository.",
  tag,
  access: onRepository("write"),
  body: Type.Object({ description: Description }),
  success: 200,
  result: Success,
  async handle({ subject: { repository }, body: { description } }, context) {
    await describeRepository(context, repository, description);
    return success;
  },
});

const deleteRepository = operation({
  id: "deleteRepository",
  version: getRepo,
  audit: ["delete_repo"],
  method: "DELETE",
  path: "/repository/{repository}",
  summary: "Delete a repository with its content.",
  tag,
  access: onRepository("admin"),
  success: 204,
  async handle({ subject: { repository } }, { db, clock, log }) {
    await takeAway(db, repository, clock);
    await log("delete_repo", { repo: repository.name, namespace: repository.namespace });
  },
});

const changeRepoVisibility = operation({
  id: "changeRepoVisibility",
  version: getRepo,
  audit: ["change_repo_visibility"],
  method: "POST",
  path: "/repository/{repository}/changevisibility",
  summary: "Make a repository public or private.",
  tag,
  access: onRepository("admin"),
  body: Type.Object({ visibility: Visibility }),
  success: 201,
  result: Success,
  async handle({ subject: { repository }, body: { visibility } }, context) {
    await changeVisibility(context, repository, visibility);
    return success;
  },
});

const changeRepoState = operation({
  id: "changeRepoState",
  version: getRepo,
  audit: ["change_repo_state"],
  method: "PUT",
  path: "/repository/{repository}/changestate",
  summary: "Set who may push: accounts with write access, no account, or the robot of the mirror.",
  tag,
  access: onRepository("admin"),
  body: Type.Object({ state: Type.Enum(["NORMAL", "READ_ONLY", "MIRROR"]) }),
  success: 200,
  result: Success,
  async handle({ subject: { repository }, body: { state } }, context) {
    if (state === "MIRROR" && !context.settings.features.mirroring) throw featureOff("mirroring"); // no caller could push to it
    await changeState(context, repository, state);
    return success;
  },
});

/** Operations on repositories. */
export const repositoryOperations = [
  createRepo,
  listRepos,
  getRepo,
  updateRepo,
  deleteRepository,
  changeRepoVisibility,
  changeRepoState,
];

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

const StarredRepository = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean(),
});

function starredView({ namespace, name, description, visibility }: ListedRepository): Static<typeof StarredRepository> {
  return { namespace, name, description, is_public: visibility === "public" };
}

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
    repositories: Type.Array(StarredRepository),
    next_page: Type.Optional(Type.String()),
  }),
  async handle({ query }, context) {
    const { rows, ...next } = await listRepositories({ starred: true, next_page: query.next_page }, context);
    return { repositories: rows.map(({ row }) => starredView(row)), ...next };
  },
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
