import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { Type } from "typebox";
import { superusers, visitors } from "../../access/on-account.ts";
import { ListPageQuery, nextPage, readListPage } from "../../lists/list-pages.ts";
import { beforeOldest, type MadeKey, madeKey } from "../../lists/read-from.ts";
import { operation } from "../../operation.ts";
import type { GlobalMessageTable } from "../../store/tables/administration.ts";
import { pick } from "../../values/pick.ts";

const tag = "globalmessages";

const Severity = Type.Enum(["info", "warning", "error"]);
const MediaType = Type.Enum(["text/plain", "text/markdown"]);

const content = {
  content: Type.String({ minLength: 1, maxLength: 10_000 }),
  severity: Severity,
  media_type: MediaType,
};
const NewGlobalMessage = Type.Object({ message: Type.Object(content) });

const GlobalMessage = Type.Object({
  uuid: Type.String(),
  message: Type.Object(content),
  ...content, // the same once more, for clients that look there
});
const GlobalMessages = Type.Object({ messages: Type.Array(GlobalMessage), ...nextPage });

type GlobalMessageRow = Selectable<GlobalMessageTable>;

function view(uuid: string, row: Pick<GlobalMessageRow, keyof typeof content>) {
  const message = pick(row, ["content", "severity", "media_type"]);
  return { uuid, message, ...message };
}

const getGlobalMessages = operation({
  id: "getGlobalMessages",
  method: "GET",
  path: "/messages",
  summary: "What everybody should know.",
  tag,
  access: visitors,
  query: ListPageQuery,
  success: 200,
  result: GlobalMessages,
  async handle({ query }, context) {
    const list = { list: "messages", ownerId: "", query, first: beforeOldest, keyOf: madeKey } as const;
    const { rows, ...next } = await readListPage<GlobalMessageRow, MadeKey>(context, list, ({ after, limit }) =>
      context.db
        .selectFrom("global_message")
        .selectAll()
        .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
        .orderBy("created_at")
        .orderBy("id")
        .limit(limit)
        .execute(),
    );
    return { messages: rows.map(({ id, ...message }) => view(id, message)), ...next };
  },
});

const createGlobalMessage = operation({
  id: "createGlobalMessage",
  method: "POST",
  path: "/messages",
  summary: "Tell everybody something.",
  tag,
  access: superusers,
  freshLogin: true,
  body: NewGlobalMessage,
  success: 201,
  result: GlobalMessage,
  async handle({ body }, { db, now, log }) {
    const id = randomUUID();
    await db
      .insertInto("global_message")
      .values({ id, ...body.message, created_at: now })
      .execute();
    await log("create_global_message", { uuid: id });
    return view(id, body.message);
  },
});

const deleteGlobalMessage = operation({
  id: "deleteGlobalMessage",
  method: "DELETE",
  path: "/message/{uuid}",
  summary: "Tell it no longer.",
  tag,
  access: superusers,
  freshLogin: true,
  success: 204,
  async handle({ params }, { db, log }) {
    const uuid = params.uuid ?? "";
    const { numDeletedRows } = await db.deleteFrom("global_message").where("id", "=", uuid).executeTakeFirst();
    if (numDeletedRows > 0n) await log("delete_global_message", { uuid });
  },
});

/** What superusers tell everybody. */
export const globalMessageOperations = [getGlobalMessages, createGlobalMessage, deleteGlobalMessage];
