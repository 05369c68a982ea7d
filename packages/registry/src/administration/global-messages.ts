import { randomUUID } from "node:crypto";
import type { CallContext } from "../context.ts";
import { type GlobalMessageRow, insertGlobalMessage, removeGlobalMessage } from "./queries.ts";

/** Shows a message to all users. @returns its id */
export async function addGlobalMessage(
  { db, now, log }: Pick<CallContext<"create_global_message">, "db" | "now" | "log">,
  message: Omit<GlobalMessageRow, "id" | "created_at">,
): Promise<string> {
  const id = randomUUID();
  await insertGlobalMessage(db, { id, ...message, created_at: now });
  await log("create_global_message", { uuid: id });
  return id;
}

/** Deletes a message, if it is there. */
export async function deleteGlobalMessage(
  { db, log }: Pick<CallContext<"delete_global_message">, "db" | "log">,
  uuid: string,
): Promise<void> {
  const isDeleted = await removeGlobalMessage(db, uuid);
  if (isDeleted) await log("delete_global_message", { uuid });
}
