import { superusers, visitors } from "@plimsoll/registry/access/on-account";
import {
  addGlobalMessage,
  deleteGlobalMessage as deleteMessage,
} from "@plimsoll/registry/administration/global-messages";
import { type GlobalMessageRow, listGlobalMessages } from "@plimsoll/registry/administration/queries";
import {
  beforeOldest,
  type CreationKey,
  creationKey,
  ListPageQuery,
  nextPage,
  readListPage,
} from "@plimsoll/registry/lists/list-pages";
import { pick } from "@plimsoll/registry/values/pick";
import { Type } from "typebox";
import { operation } from "../../operation.ts";

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
  ...content, // the same members again, for clients that expect them here
});

const GlobalMessages = Type.Object({ messages: Type.Array(GlobalMessage), ...nextPage });

function view(uuid: string, row: Pick<GlobalMessageRow, keyof typeof content>) {
  const message = pick(row, ["content", "severity", "media_type"]);
  return { uuid, message, ...message };
}

const getGlobalMessages = operation({
  id: "getGlobalMessages",
  method: "GET",
  path: "/messages",
  summary: "The messages that all users see.",
  tag,
  access: visitors,
  query: ListPageQuery,
  success: 200,
  result: GlobalMessages,
  async handle({ query }, context) {
    const list = { list: "messages", ownerId: "", query, first: beforeOldest, keyOf: creationKey } as const;
    const { rows, ...next } = await readListPage<GlobalMessageRow, CreationKey>(context, list, (page) =>
      listGlobalMessages(context.db, page),
    );
    return { messages: rows.map(({ id, ...message }) => view(id, message)), ...next };
  },
});

const createGlobalMessage = operation({
  id: "createGlobalMessage",
  audit: ["create_global_message"],
  method: "POST",
  path: "/messages",
  summary: "Show a message to all users.",
  tag,
  access: superusers,
  freshLogin: true,
  body: NewGlobalMessage,
  success: 201,
  result: GlobalMessage,
  async handle({ body }, context) {
    return view(await addGlobalMessage(context, body.message), body.message);
  },
});

const deleteGlobalMessage = operation({
  id: "deleteGlobalMessage",
  audit: ["delete_global_message"],
  method: "DELETE",
  path: "/message/{uuid}",
  summary: "Delete a message.",
  tag,
  access: superusers,
  freshLogin: true,
  success: 204,
  handle: ({ params }, context) => deleteMessage(context, params.uuid),
});

/** Operations on the messages that superusers show to every user. */
export const globalMessageOperations = [getGlobalMessages, createGlobalMessage, deleteGlobalMessage];
