import { superusers } from "@plimsoll/registry/access/on-account";
import { Type } from "typebox";
import { operation } from "../../operation.ts";

const instant = Type.Integer({ description: "Epoch milliseconds" });

const LastFailure = Type.Union(
  [Type.Object({ failed_at: instant, reason: Type.String({ description: "For people" }) }), Type.Null()],
  { description: "Its last update, if that failed; otherwise null" },
);

const Records = Type.Union(
  [
    Type.Object({
      total: Type.Integer({ description: "The sum of the others" }),
      read: Type.Integer(),
      withdrawn: Type.Integer({ description: "Withdrawn by the publisher" }),
      failed: Type.Integer({ description: "Nothing of them could be used" }),
      skipped: Type.Array(
        Type.Object({
          rule: Type.String(),
          meaning: Type.String({ description: "What such records are, for people" }),
          count: Type.Integer(),
          example: Type.String({ description: "The place of the first of them" }),
        }),
        { description: "Those that a rule leaves out, the most frequent rule first" },
      ),
    }),
    Type.Null(),
  ],
  {
    description:
      "What became of its records and of its documents that are not read, in its last update, of which a delta has only those that changed; null where it is not known",
  },
);

const Feed = Type.Object({
  name: Type.String(),
  kind: Type.Enum(["vulnerability", "enrichment"], {
    description: "Whether it brings advisories, or facts about vulnerabilities",
  }),
  rows: Type.Integer({ description: "Its advisories or facts that hold now" }),
  dropped: Type.Integer({ description: "Its records that could not be used" }),
  records: Records,
  changed_at: instant,
  checked_at: instant,
  is_outdated: Type.Boolean({ description: "It was not checked for longer than the settings allow" }),
  last_failure: LastFailure,
});

const MissingFeed = Type.Object({ name: Type.String(), last_failure: LastFailure });

const unknown = "null where there is no scanner, or it is elsewhere and does not tell";

const feedsOperation = operation({
  tag: "superuser",
  isOwn: true,
  access: superusers,
  id: "listFeeds",
  method: "GET",
  path: "/superuser/feeds",
  summary:
    "The feeds that images are matched with, by name, with their age, those that are missing, and updates that failed.",
  success: 200,
  result: Type.Object({
    feeds: Type.Union([Type.Array(Feed), Type.Null()], {
      description: `Those that are loaded; ${unknown}`,
    }),
    missing: Type.Union([Type.Array(MissingFeed), Type.Null()], {
      description: `Those that are to be loaded and are not: nothing is found by them; ${unknown}`,
    }),
  }),
  async handle(_, { imageScanner }) {
    const feeds = await imageScanner.feeds();
    if (feeds === undefined) return { feeds: null, missing: null };
    const { loaded, missing, failures } = feeds;
    const failureOf = (name: string) => {
      const failure = failures.find((each) => each.name === name);
      return failure ? { failed_at: failure.failedAt, reason: failure.reason } : null;
    };
    const shown = loaded.map(({ name, kind, rows, dropped, records = null, changedAt, checkedAt, isOutdated }) => ({
      ...{ name, kind, rows, dropped, records },
      ...{ changed_at: changedAt, checked_at: checkedAt, is_outdated: isOutdated },
      last_failure: failureOf(name),
    }));
    return { feeds: shown, missing: missing.map((name) => ({ name, last_failure: failureOf(name) })) };
  },
});

/** The operation that lists the scanner's feeds. */
export const feedOperations = [feedsOperation];
