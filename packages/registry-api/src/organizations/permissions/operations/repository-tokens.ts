import { seesSecrets } from "@plimsoll/registry/access/global-role";
import { onRepository } from "@plimsoll/registry/access/on-repository";
import { beforeOldest, creationKey, ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import {
  listRepositoryTokens,
  type RepositoryTokenRow,
} from "@plimsoll/registry/organizations/permissions/queries/repository-permissions";
import {
  changeRepositoryToken,
  createRepositoryToken,
  deleteRepositoryToken,
  getRepositoryToken,
} from "@plimsoll/registry/organizations/permissions/repository-tokens";
import { Type } from "typebox";
import { RepositoryRoleView } from "../../../accounts/views.ts";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";

const tag = "repotoken";

const access = onRepository("admin");

const path = "/repository/{repository}/tokens/{code}";

const RepositoryToken = Type.Object({
  code: Type.String({ description: "The password of the user $token; empty for read-only superusers" }),
  friendlyName: Type.String(),
  role: RepositoryRoleView,
});

const listRepoTokens = operation({
  id: "listRepoTokens",
  method: "GET",
  path: "/repository/{repository}/tokens/",
  summary: "The tokens of the repository, by code.",
  tag,
  access,
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ tokens: Type.Record(Type.String(), RepositoryToken), ...nextPage }),
  async handle({ subject: { repository }, query }, context) {
    const ownerId = repository.id;
    const list = { list: "repository tokens", ownerId, query, first: beforeOldest, keyOf: creationKey } as const;
    const { rows, ...next } = await readListPage(context, list, (from) =>
      listRepositoryTokens(context.db, repository, from),
    );
    const tokens = rows.map((row) => ({ id: row.id, view: view(row, context) }));
    return { tokens: Object.fromEntries(tokens.map(({ id, view }) => [view.code || id, view])), ...next };
  },
});

const createToken = operation({
  id: "createToken",
  keeps: "repositoryTokens",
  audit: ["add_repo_accesstoken"],
  method: "POST",
  path: "/repository/{repository}/tokens/",
  summary: "Make a token that reads the repository.",
  tag,
  access,
  body: Type.Object({ friendlyName: Type.String({ minLength: 1, maxLength: 255 }) }),
  success: 201,
  result: RepositoryToken,
  async handle({ subject: { repository }, body: { friendlyName } }, context) {
    const { db, secrets, now, log } = context;
    const row = await createRepositoryToken(db, secrets, { repository, friendlyName, now });
    await log("add_repo_accesstoken", { repo: repository.name, namespace: repository.namespace, token: friendlyName });
    return view(row, context);
  },
});

const getTokens = operation({
  id: "getTokens",
  versionMembers: ["role"],
  method: "GET",
  path,
  secretParams: ["code"],
  summary: "The token with that code.",
  tag,
  access,
  success: 200,
  result: RepositoryToken,
  async handle({ subject, params }, context) {
    return view(await getRepositoryToken(context.db, subject.repository, params.code), context);
  },
});

const changeToken = operation({
  id: "changeToken",
  version: getTokens,
  audit: ["change_repo_permission"],
  method: "PUT",
  path,
  secretParams: ["code"],
  summary: "Let a token do more or less.",
  tag,
  access,
  body: Type.Object({ role: Type.Optional(RepositoryRoleView) }),
  success: 200,
  result: RepositoryToken,
  async handle({ subject: { repository }, params, body: { role } }, context) {
    return view(await changeRepositoryToken(context, repository, { code: params.code, role }), context);
  },
});

const deleteToken = operation({
  id: "deleteToken",
  version: getTokens,
  audit: ["delete_repo_accesstoken"],
  method: "DELETE",
  path,
  secretParams: ["code"],
  summary: "Delete a token: its code is worth nothing from now on.",
  tag,
  access,
  success: 204,
  handle: ({ subject, params }, context) => deleteRepositoryToken(context, subject.repository, params.code),
});

/** Shows a token to admins of the repository. Read-only superusers see it without its code. */
function view({ code_sealed, friendly_name, role }: RepositoryTokenRow, { secrets, globalRole }: OperationContext) {
  const code = seesSecrets(globalRole, { isAdmin: true }) ? (secrets.open(code_sealed) ?? "") : "";
  return { code, friendlyName: friendly_name, role };
}

/** Operations on repository tokens. */
export const repositoryTokenOperations = [listRepoTokens, createToken, getTokens, changeToken, deleteToken];
