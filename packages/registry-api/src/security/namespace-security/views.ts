import { severities } from "@plimsoll/core/severity";
import { Type } from "typebox";
import { ImageSeverities } from "../../content/views.ts";

/** Members that name the place of an image. */
export const placeMembers = {
  repository: Type.String({ description: "NAMESPACE/NAME" }),
  manifest_digest: Type.String(),
  tags: Type.Array(Type.String(), { description: "The first ten that show it, themselves or by a list of manifests" }),
};

/** An image in which vulnerabilities were found lately. */
export const ImageWithNews = Type.Object({
  ...placeMembers,
  found: Type.String({ format: "date-time", description: "When the last of them was found" }),
  count: Type.Integer({ description: "How many vulnerabilities were found since" }),
  vulnerabilities: Type.Array(
    Type.Object({ name: Type.String(), severity: Type.Enum([...severities]), known_exploited: Type.Boolean() }),
    { description: "The first five: those that are exploited, then the most severe" },
  ),
  severities: Type.Union([ImageSeverities, Type.Null()], {
    description: "All that the image has; null: not counted",
  }),
});
