import { onRepository } from "@plimsoll/registry/access/on-repository";
import { previewPruning } from "@plimsoll/registry/lifecycle/pruning/preview-pruning";
import { formatDate } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { method } from "../views.ts";

const Judgement = Type.Object({
  policy: Type.String({ description: "Its uuid; tried: the one of the request" }),
  reason: Type.Enum(["too_old", "too_many", "new_enough", "among_newest"]),
  rank: Type.Optional(
    Type.Integer({ description: "The position among the tags of a policy by number; 1 is the newest" }),
  ),
});

const PreviewedTag = Type.Object({
  name: Type.String(),
  start: Type.String({ description: "When the tag was put" }),
  deleted: Type.Boolean(),
  judgements: Type.Array(Judgement, { description: "The decision of each policy that applies to the tag" }),
  kept: Type.Optional(
    Type.Enum(["immutable", "referrer", "no_policy", "state"], {
      description:
        "It stays since it is immutable, it is a signature or the like, no policy is for it, or the repository takes no pushes",
    }),
  ),
});

const PreviewQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Default: 100" })),
  method: Type.Optional(method),
  value: Type.Optional(Type.String({ maxLength: 40, description: "A number of tags, or a time such as 7d" })),
  tagPattern: Type.Optional(Type.String({ maxLength: 256 })),
  tagPatternMatches: Type.Optional(Type.Boolean({ description: "False: tags that do not match are meant" })),
});

/** What the policies of a repository would do. */
export const previewRepositoryAutoPrune = operation({
  tag: "policy",
  feature: "autoPrune",
  access: onRepository("admin"),
  id: "previewRepositoryAutoPrune",
  internal: true,
  method: "GET",
  path: "/repository/{repository}/autoprunepreview",
  summary:
    "The effect that the prune policies would have now on each tag, and its reasons; optionally with an additional policy.",
  query: PreviewQuery,
  success: 200,
  result: Type.Object({ tags: Type.Array(PreviewedTag), page: Type.Integer(), has_additional: Type.Boolean() }),
  async handle({ subject, query }, context) {
    const { page = 1, limit = 100, method: way, value: text, ...pattern } = query;
    const amount = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;
    const hasTrialPolicy = way !== undefined || text !== undefined;
    const request = {
      method: way,
      value: text === undefined ? undefined : amount,
      ...pattern,
    };
    const previewed = { page, limit, request: hasTrialPolicy ? request : undefined };
    const { tags, hasMore } = await previewPruning(context, subject.repository, previewed);
    return {
      tags: tags.map(({ start_at, judgements, ...tag }) => ({
        ...tag,
        start: formatDate(start_at),
        judgements: [...judgements],
      })),
      page,
      has_additional: hasMore,
    };
  },
});
