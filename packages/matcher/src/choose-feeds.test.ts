import { allUpdaters } from "@plimsoll/core";
import type { Enricher, Updater } from "@plimsoll/core/plugins";
import { describe, expect, it } from "vitest";
import { chooseFeeds, type FeedChoice, feedNames, sizedFeeds } from "./choose-feeds.ts";

const update = async () => ({ kind: "unchanged" }) as const;
const feed = (name: string, scope?: Updater["scope"]): Updater => ({
  name,
  location: "",
  update,
  scope,
});
const facts = { ...feed("facts"), update };
const large = { ...feed("large", { partBytes: {}, sharedBytes: 500, isOnRequest: true }), update };
const plugins = {
  updaters: [
    feed("debian", { partBytes: { debian: 0 }, sharedBytes: 70 }),
    feed("osv", { partBytes: { npm: 200, PyPI: 30 } }),
    feed("everything"),
  ],
  enrichers: [facts, large].map((updater) => {
    return { name: updater.name, type: updater.name, updater, tags: () => [], enrich: () => undefined };
  }),
};

describe("an engine without updaters", () => {
  const { enrichers } = plugins;

  it("is updated from all feeds that come with the engine", () => {
    const chosen = chooseFeeds({ enrichers }, {});

    expect(chosen).toEqual({ updaters: allUpdaters, enrichers });
    expect(feedNames({ enrichers })).toEqual(feedNames(chosen));
  });

  it("is not updated if an enricher's feed has the name of one of them", () => {
    const updater = { ...facts, name: "debian" };
    const engine = { enrichers: [{ ...enrichers[0], updater } as Enricher] };

    expect(() => chooseFeeds(engine, {})).toThrow("two updaters are named debian");
  });
});

describe("chooseFeeds and sizedFeeds", () => {
  it.each<[choice: FeedChoice, chosen: readonly string[]]>([
    [{}, ["debian 70", "osv 230", "everything", "facts", "large 500"]],
    [{ needed: new Set(["debian"]) }, ["debian 70", "everything", "facts"]],
    [{ needed: new Set(["PyPI", "unknown"]) }, ["osv 30", "everything", "facts"]],
    [{ needed: new Set() }, ["everything", "facts"]],
    [{ only: ["osv"], needed: new Set(["PyPI"]) }, ["osv 230"]],
    [{ only: ["facts"] }, ["facts"]],
    [{ only: ["large"], needed: new Set(["debian"]) }, ["large 500"]],
    [{ only: [] }, []],
  ])("%j: %j", (choice, expected) => {
    const chosen = chooseFeeds(plugins, choice);

    const sized = sizedFeeds(chosen, choice);
    expect(sized.map(({ name, sizeBytes }) => [name, sizeBytes ?? []].flat().join(" "))).toEqual(expected);
    expect(feedNames(chosen)).toEqual(sized.map(({ name }) => name));
  });
});
