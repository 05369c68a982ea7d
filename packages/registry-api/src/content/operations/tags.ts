import { onRepository } from "@plimsoll/registry/access/on-repository";
import { changeTag as change, deleteTag, restoreTag as restore } from "@plimsoll/registry/content/change-tag";
import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { listRepositoryTags } from "../list-tags.ts";
import { TagView } from "../views/tag.ts";

const tag = "tag";
const path = "/repository/{repository}/tag/{tag}";
const toChange = onRepository("write", { onlyNormal: true });

/** Epoch seconds: the end of the year 9999. */
const endOfDates = Date.UTC(10_000, 0) / 1000 - 1;

const Digest = Type.String({ maxLength: 255, description: "algorithm:hex" });

const listRepoTags = operation({
  id: "listRepoTags",
  method: "GET",
  path: "/repository/{repository}/tag/",
  summary: "The tags of the repository with their history, the latest first.",
  tag,
  access: onRepository("read"),
  query: Type.Object({
    onlyActiveTags: Type.Optional(Type.Boolean({ description: "Without expired tags" })),
    page: Type.Optional(Type.Integer({ maximum: 10_000_000, description: "From 1" })),
    limit: Type.Optional(Type.Integer({ description: "How many tags a page has: 50 where absent, at most 100" })),
    filter_tag_name: Type.Optional(Type.String({ maxLength: 255, description: "like:<part> or eq:<name>" })),
    specificTag: Type.Optional(Type.String({ maxLength: 255 })),
    severities: Type.Optional(
      Type.Boolean({ description: "Whether each tag has the counts of its vulnerabilities; Plimsoll's own" }),
    ),
    pushers: Type.Optional(
      Type.Boolean({
        description: "Whether each tag has the user who pushed it, for admins of the repository; Plimsoll's own",
      }),
    ),
  }),
  success: 200,
  result: Type.Object({ tags: Type.Array(TagView), page: Type.Integer(), has_additional: Type.Boolean() }),
  handle: ({ subject, query }, context) => listRepositoryTags(subject, query, context),
});

const changeTag = operation({
  id: "changeTag",
  keeps: "tags",
  audit: ["create_tag", "change_tag_expiration", "move_tag", "change_tag_immutability"],
  method: "PUT",
  path,
  summary: "Create or change a tag: its manifest, its expiration, and whether it is immutable.",
  tag,
  access: toChange,
  body: Type.Object({
    manifest_digest: Type.Optional(Type.Union([Digest, Type.Null()])),
    expiration: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: endOfDates }), Type.Null()], {
        description: "Epoch seconds, in the future; null: the tag does not expire",
      }),
    ),
    immutable: Type.Optional(
      Type.Boolean({
        description: "Whether nothing may change the tag from now on; false needs admin on the repository",
      }),
    ),
  }),
  success: 201,
  result: Type.Literal("Updated"),
  async handle({ subject, params, body }, context) {
    await change({ ...subject, name: params.tag }, body, context);
    return "Updated" as const;
  },
});

const deleteFullTag = operation({
  id: "deleteFullTag",
  audit: ["delete_tag"],
  method: "DELETE",
  path,
  summary: "Delete a tag; it can be restored for the time that the namespace sets.",
  tag,
  access: toChange,
  success: 204,
  handle: ({ subject: { repository }, params }, context) => deleteTag({ repository, name: params.tag }, context),
});

const restoreTag = operation({
  id: "restoreTag",
  keeps: "tags",
  audit: ["revert_tag"],
  method: "POST",
  path: "/repository/{repository}/tag/{tag}/restore",
  summary: "Put a tag back to an earlier manifest.",
  tag,
  access: toChange,
  body: Type.Object({ manifest_digest: Digest }),
  success: 201,
  result: Type.Object({}),
  async handle({ subject: { repository }, params, body }, context) {
    await restore({ repository, name: params.tag }, body.manifest_digest, context);
    return {};
  },
});

/** Operations on tags. */
export const tagOperations = [listRepoTags, changeTag, deleteFullTag, restoreTag];
