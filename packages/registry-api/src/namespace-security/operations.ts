import { severities } from "@plimsoll/core";
import { Type } from "typebox";
import { onSelf } from "../access/on-account.ts";
import { onOrganization } from "../access/on-organization.ts";
import { ImageSeverities, SeverityCounts } from "../content/views/severities.ts";
import { operation } from "../operation.ts";
import { readersOf } from "./readers.ts";
import { viewAffectedImages, viewSecurity } from "./view-security.ts";

const pages = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "20 where absent" })),
};

const image = {
  repository: Type.String({ description: "NAMESPACE/NAME" }),
  manifest_digest: Type.String(),
  tags: Type.Array(Type.String(), { description: "The first ten that show it, themselves or by a list of manifests" }),
};

const coverage = {
  images: Type.Integer({ description: "Images that a tag shows, in each repository" }),
  uncounted: Type.Integer({ description: "Those of which it is not known what they have" }),
  partial: Type.Integer({ description: "Those that may have more, since a scan could not judge all of them" }),
};

const more = { page: Type.Integer(), has_additional: Type.Boolean() };

const Security = Type.Object({
  severities: SeverityCounts,
  ...coverage,
  worst: Type.Array(
    Type.Object({
      ...image,
      severities: Type.Union([ImageSeverities, Type.Null()], { description: "Null: not counted" }),
    }),
    { description: "The worst first; those that are not counted come last" },
  ),
  ...more,
});

const AffectedImages = Type.Object({
  affected: Type.Array(
    Type.Object({
      ...image,
      severity: Type.Enum([...severities], { description: "Of the worst package that has it" }),
      fixable: Type.Boolean(),
      known_exploited: Type.Boolean(),
    }),
  ),
  ...coverage,
  ...more,
});

const ofVulnerability = Type.Object({
  vulnerability: Type.String({ minLength: 1, maxLength: 256, description: "A name or an alias, in any case" }),
  ...pages,
});

const resource = { method: "GET", tag: "secscan", isOwn: true, feature: "securityScanner", success: 200 } as const;
const ofOrganization = { ...resource, access: readersOf(onOrganization("member", { scope: "repo:read" })) };
const ofUser = { ...resource, access: readersOf(onSelf("repo:read")) };
const first = { page: 1, limit: 20 };

/** Which vulnerabilities the images of a namespace have. */
export const namespaceSecurityOperations = [
  operation({
    ...ofOrganization,
    id: "getOrganizationSecurity",
    path: "/organization/{orgname}/security",
    summary: "How many vulnerabilities the images of an organization have, as far as the caller may read them.",
    query: Type.Object(pages),
    result: Security,
    handle: ({ subject: { organization }, query }, context) =>
      viewSecurity(context, organization, { ...first, ...query }),
  }),
  operation({
    ...ofUser,
    id: "getUserSecurity",
    path: "/user/security",
    summary: "How many vulnerabilities the images of the user's own namespace have.",
    query: Type.Object(pages),
    result: Security,
    handle: ({ subject: { account }, query }, context) => viewSecurity(context, account, { ...first, ...query }),
  }),
  operation({
    ...ofOrganization,
    id: "listOrganizationAffectedImages",
    path: "/organization/{orgname}/security/images",
    summary: "Which images of an organization have a vulnerability, as far as the caller may read them.",
    query: ofVulnerability,
    result: AffectedImages,
    handle: ({ subject: { organization }, query }, context) =>
      viewAffectedImages(context, organization, { ...first, ...query }),
  }),
  operation({
    ...ofUser,
    id: "listUserAffectedImages",
    path: "/user/security/images",
    summary: "Which images of the user's own namespace have a vulnerability.",
    query: ofVulnerability,
    result: AffectedImages,
    handle: ({ subject: { account }, query }, context) => viewAffectedImages(context, account, { ...first, ...query }),
  }),
];
