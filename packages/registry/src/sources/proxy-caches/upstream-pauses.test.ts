import { ScanError } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { UpstreamLimited, UpstreamObjectFailed } from "../../ports/upstreams.ts";
import { scopeOf, UpstreamPauses } from "./upstream-pauses.ts";

const lost = new ScanError("source_unreachable", "up.example cannot be reached");
const broken = new UpstreamObjectFailed("source_unreachable", "up.example answered 500", { isPassing: true });
const refused = new UpstreamObjectFailed("source_unreachable", "up.example answered 400", { isPassing: false });
const limited = new UpstreamLimited("up.example limits", { retryAfterSeconds: 90 });
const unnamed = new UpstreamLimited("up.example limits", { retryAfterSeconds: undefined });
const forDays = new UpstreamLimited("up.example limits", { retryAfterSeconds: 200_000 });

/** `OBJECT=FAILURE`, `OBJECT=ok`, or `+SECONDS`. */
type Event = string;

const failures: Readonly<Record<string, ScanError>> = { lost, broken, refused, limited, unnamed, forDays };

describe("scopeOf", () => {
  it.each([
    ["registry", lost],
    ["registry", limited],
    ["registry", new ScanError("timed_out", "late")],
    ["object", broken],
    ["request", refused],
    ["request", new ScanError("not_found", "gone")],
    ["request", new ScanError("unauthorized", "denied")],
  ] as const)("is %s for %s", (scope, error) => {
    expect(scopeOf(error)).toBe(scope);
  });
});

describe("UpstreamPauses", () => {
  it.each<{ what: string; events: readonly Event[]; seconds: readonly [own: number, other: number] }>([
    { what: "nothing", events: [], seconds: [0, 0] },
    { what: "a lost connection", events: ["a=lost"], seconds: [5, 5] },
    { what: "a limit", events: ["a=limited"], seconds: [90, 90] },
    { what: "a limit that names no time", events: ["a=unnamed"], seconds: [5, 5] },
    { what: "a lost connection during a limit", events: ["a=limited", "b=lost"], seconds: [90, 90] },
    { what: "a limit for days", events: ["a=forDays"], seconds: [3600, 3600] },
    { what: "a second limit", events: ["a=unnamed", "+5", "a=unnamed"], seconds: [5, 5] },
    { what: "a limit of one object", events: ["a=limited", "+90", "b=ok", "a=limited"], seconds: [90, 0] },
    {
      what: "a limit of one object that names no time",
      events: ["a=unnamed", "+5", "b=ok", "a=unnamed", "+5", "a=unnamed"],
      seconds: [10, 0],
    },
    { what: "a limit of another object", events: ["b=unnamed", "+5", "c=ok", "a=unnamed"], seconds: [5, 5] },
    { what: "a limit after its end", events: ["a=unnamed", "+5", "b=ok", "a=ok", "a=unnamed"], seconds: [5, 5] },
    {
      what: "a limit, and answers to earlier requests",
      events: ["a=unnamed", "b=ok", "+5", "a=unnamed"],
      seconds: [5, 5],
    },
    { what: "a refusal", events: ["a=refused"], seconds: [0, 0] },
    { what: "many refusals", events: ["a=refused", "b=refused", "c=refused", "d=refused"], seconds: [0, 0] },
    { what: "a broken object", events: ["a=broken"], seconds: [5, 0] },
    {
      what: "an object that stays broken",
      events: ["a=broken", "+5", "a=broken", "+10", "a=broken"],
      seconds: [20, 0],
    },
    { what: "one that is broken for long", events: Array.from({ length: 9 }, () => "a=broken"), seconds: [60, 0] },
    { what: "one that was mended", events: ["a=broken", "a=ok", "a=broken"], seconds: [5, 0] },
    { what: "two broken objects", events: ["a=broken", "b=broken"], seconds: [5, 0] },
    { what: "three broken objects", events: ["a=broken", "b=broken", "c=broken"], seconds: [5, 5] },
    { what: "three, and a success between", events: ["a=broken", "b=broken", "d=ok", "c=broken"], seconds: [5, 0] },
    { what: "three, far apart", events: ["b=broken", "c=broken", "+61", "a=broken"], seconds: [5, 0] },
    { what: "a success during a pause", events: ["a=limited", "b=ok"], seconds: [90, 90] },
    { what: "the end of a pause", events: ["a=lost", "+5"], seconds: [0, 0] },
  ])("pauses the object and the others after $what for $seconds", ({ events, seconds }) => {
    const pauses = new UpstreamPauses();
    const at = (object: string) => ({ cacheId: "hub", object });
    let now = 1_000_000;
    for (const event of events) {
      const [object = "", outcome = ""] = event.split("=");
      const failure = failures[outcome];
      if (event.startsWith("+")) now += 1000 * Number(event);
      else if (failure === undefined) pauses.succeeded(at(object), now);
      else pauses.failed(at(object), failure, now);
    }

    const left = (cacheId: string, object: string) => {
      const pause = pauses.find({ cacheId, object }, now);
      return pause === undefined ? 0 : (pause.until - now) / 1000;
    };

    expect([left("hub", "a"), left("hub", "never requested")]).toEqual(seconds);
    expect(left("another", "a")).toBe(0);
  });
});
