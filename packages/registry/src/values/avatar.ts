import { hash as digestOf } from "node:crypto";
import { type Static, Type } from "typebox";

/** A picture of an account, drawn by the client from a hash and a colour. */
export const Avatar = Type.Object({
  name: Type.String(),
  hash: Type.String(),
  color: Type.String({ description: "#rrggbb" }),
  kind: Type.String({ description: "user, robot, team, org or app" }),
});
export type Avatar = Static<typeof Avatar>;

const palette = [
  "#969696",
  "#aec7e8",
  "#ff7f0e",
  "#ffbb78",
  "#2ca02c",
  "#98df8a",
  "#d62728",
  "#ff9896",
  "#9467bd",
  "#c5b0d5",
  "#8c564b",
  "#c49c94",
  "#e377c2",
  "#f7b6d2",
  "#7f7f7f",
  "#c7c7c7",
  "#bcbd22",
  "#1f77b4",
  "#17becf",
  "#9edae5",
] as const;

/** The kinds of things that have avatars. */
export type AvatarKind = "user" | "robot" | "team" | "org" | "app";

/** The avatar of a name; the hash is of the e-mail address or id where one is given, so that renaming does not change it. */
export function avatarOf(kind: AvatarKind, name: string, identity?: string | null): Avatar {
  const basis = (identity || name).trim().toLowerCase();
  const hash = digestOf("sha256", basis);
  return { name, hash, color: palette[Number.parseInt(hash.slice(0, 6), 16) % palette.length] ?? palette[0], kind };
}
