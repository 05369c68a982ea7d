import { array, assert, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { TagRoom } from "./tag-room.ts";

/** Pushes with some tags each, as a registry makes them. @returns how many tags are kept, and how often they were counted */
function push(most: number, pushes: readonly number[]) {
  const room = new TagRoom();
  let [kept, counts] = [0, 0];
  for (const tags of pushes) {
    if (!room.take("1", tags)) {
      counts += 1;
      if (kept + tags > most) continue;
      room.counted("1", most - kept - tags);
    }
    kept += tags;
  }
  return { kept, counts };
}

describe("TagRoom", () => {
  it("never lets a process exceed the limit, nor refuses what is below it", () => {
    const given = record({ most: integer({ min: 0, max: 60 }), pushes: array(integer({ min: 1, max: 9 })) });
    assert(
      property(given, ({ most, pushes }) => {
        const { kept } = push(most, pushes);

        const exact = pushes.reduce((sum, tags) => (sum + tags > most ? sum : sum + tags), 0);
        expect(kept).toBe(exact);
      }),
    );
  });

  it("needs few counts for many pushes", () => {
    const { kept, counts } = push(
      250_000,
      Array.from({ length: 200_000 }, () => 1),
    );

    expect(kept).toBe(200_000);
    expect(counts).toBeLessThan(5);
  });

  it("has no room in a repository that was not counted", () => {
    const room = new TagRoom();
    room.counted("1", 100);

    expect([room.take("2", 1), room.take("1", 50), room.take("1", 1)]).toEqual([false, true, false]);
  });
});
