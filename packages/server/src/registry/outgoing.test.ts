import { describe, expect, it } from "vitest";
import { openOutgoing } from "./outgoing.ts";

describe("openOutgoing", () => {
  it.each([
    "127.0.0.1",
    "[::1]",
    "10.1.2.3",
    "169.254.169.254",
    "localhost",
    "db.internal",
    "x.kubernetes.default.svc",
  ])("refuses %s, and tells only the log where it leads", async (host) => {
    const refused: object[] = [];
    await using outgoing = openOutgoing({ allowedInternalHosts: [], onRefused: (each) => refused.push(each) });

    const error: unknown = await outgoing.check(host).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "invalid_request", message: expect.stringContaining("public internet") });
  });

  it("permits hosts that the configuration allows, by network and by name", async () => {
    const allowedInternalHosts = ["10.0.0.0/8", "db.internal"];
    await using outgoing = openOutgoing({ allowedInternalHosts, onRefused: () => {} });

    await expect(outgoing.check("10.1.2.3")).resolves.toBeUndefined();
    await expect(outgoing.check("DB.internal")).resolves.toBeUndefined();
    await expect(outgoing.check("192.168.0.1")).rejects.toThrow();
  });

  it("does not connect to an internal address either", async () => {
    const refused: object[] = [];
    await using outgoing = openOutgoing({ allowedInternalHosts: [], onRefused: (each) => refused.push(each) });

    await expect(outgoing.send("http://127.0.0.1:5999/")).rejects.toThrow();

    expect(refused).toEqual([{ host: "127.0.0.1", addresses: ["127.0.0.1"] }]);
  });
});
