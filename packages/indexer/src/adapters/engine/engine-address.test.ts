import { Code, ConnectError } from "@connectrpc/connect";
import { ScanError } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { toUnreachable } from "./engine-address.ts";

const refused = Object.assign(new Error("connect EACCES /run/x.sock"), { code: "EACCES" });
const gone = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

describe("toUnreachable", () => {
  it.each([
    [refused, "not_permitted", "x at unix:///run/x.sock cannot be used: you have no permission for its socket"],
    [
      new ConnectError("no", Code.Unknown, undefined, undefined, refused),
      "not_permitted",
      "no permission for its socket",
    ],
    [gone, "source_unreachable", "cannot be reached (ECONNREFUSED)"],
    [new ConnectError("no", Code.Unavailable, undefined, undefined, gone), "source_unreachable", "(ECONNREFUSED)"],
    [new Error("odd"), "source_unreachable", "(odd)"],
    [new ScanError("not_found", "none"), "not_found", "none"],
  ])("%s is %s", (error, code, message) => {
    const found = toUnreachable(error, "x at unix:///run/x.sock", undefined);

    expect(found).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
