import { describe, expect, it } from "vitest";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { OperationContext } from "../context.ts";
import { deleteNotification } from "./repository-notifications.ts";

describe("deleteNotification", () => {
  it("passes on a failure of the database, which does not mean that there is no notification", async () => {
    const db = {
      selectFrom() {
        throw new Error("the database is down");
      },
    } as unknown as OperationContext["db"];

    const deleting = deleteNotification(
      { db } as OperationContext<"delete_repo_notification">,
      { id: "1" } as ImageRepository,
      "2",
    );

    await expect(deleting).rejects.toThrow("the database is down");
  });
});
