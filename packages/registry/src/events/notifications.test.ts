import { describe, expect, it } from "vitest";
import type { CallContext } from "../context.ts";
import { getNotification } from "./notifications.ts";

describe("getNotification", () => {
  it("passes on a failure of the database, which does not mean that there is no notification", async () => {
    const db = {
      selectFrom() {
        throw new Error("the database is down");
      },
    } as unknown as CallContext["db"];
    const namespace = { id: "1", username: "acme", kind: "organization" } as const;

    const reading = getNotification({ db }, { kind: "namespace", namespace }, "2");

    await expect(reading).rejects.toThrow("the database is down");
  });
});
