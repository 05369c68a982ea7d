import {
  countFailure,
  deleteFailuresOf,
  foldLogin,
  marksOf,
  marksOfUnknownLogin,
  toldFailures,
  untoldFailures,
} from "@plimsoll/registry/identity/sign-in/failed-sign-ins";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

describe("marksOfUnknownLogin", () => {
  const key = new Uint8Array(32);
  const network = "192.0.2.0/24";

  it.each([
    { what: "another name", one: "a", other: "b", alike: false },
    { what: "a name in other letters", one: "a", other: "A", alike: true },
    { what: "an address in other letters", one: "a@example.com", other: "A@Example.com", alike: true },
  ])("is the same for $what: $alike", ({ one, other, alike }) => {
    const [marks, others] = [one, other].map((login) => marksOfUnknownLogin(key, login, network));

    expect([marks?.told === others?.told, marks?.untold === others?.untold]).toEqual([alike, alike]);
  });

  it("is one of 2^20, which none can tell without the key", () => {
    const marks = [key, new Uint8Array(32).fill(1)].map((each) => marksOfUnknownLogin(each, "a", network));

    for (const { told, untold } of marks) {
      expect([told, untold].join()).toMatch(/^unknown told [0-9a-f]{5},unknown untold [0-9a-f]{5}$/);
    }
    expect(marks[0]).not.toEqual(marks[1]);
  });
});

describe("foldLogin", () => {
  it.each(
    [
      ...[
        "carol",
        "CAROL",
        " carol",
        "carol  ",
        "\tcarol\n",
        "car\u00adol",
        "car\u200bol",
        "\ufeffcarol",
        "ｃａｒｏｌ",
      ],
      ...["𝖈𝖆𝖗𝖔𝖑", "cärol", "ca\u0308rol", "CAROĹ", "ⓒarol", "car\u0000ol", "\u202ecarol"],
    ].map((login) => ({ login })),
  )("writes $login as carol", ({ login }) => {
    expect(foldLogin(login)).toBe("carol");
  });

  it.each([
    ["Carol  Ann", "carol ann"],
    ["C@Example.COM", "c@example.com"],
    ["STRASSE", "strasse"],
    ["Straße", "strasse"],
    ["İ", "i"],
    ["", ""],
  ])("writes %j as %j, and that as itself", (login, folded) => {
    expect(foldLogin(login)).toBe(folded);
    expect(foldLogin(folded)).toBe(folded);
  });
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "deleteFailuresOf on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("forgets those of the name and of the address, and of no other account", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const [alice, bob] = [{ id: "11" }, { id: "1" }];
      const network = "192.0.2.0/24";
      const kept = [marksOf(bob, "bob", network), marksOfUnknownLogin(new Uint8Array(32), "carol", network)];
      const marks = [marksOf(alice, "alice", network), marksOf(alice, "alice@example.com", network), ...kept];
      for (const each of marks) {
        await countFailure(db, toldFailures(each), 0);
        await countFailure(db, untoldFailures(each), 0);
      }

      await deleteFailuresOf(db, alice);

      const rows = await db.selectFrom("failed_sign_in").select("mark").orderBy("mark").execute();
      expect(rows.map(({ mark }) => mark)).toEqual(kept.flatMap(({ told, untold }) => [told, untold]));
    });
  },
);
