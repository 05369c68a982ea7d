import { severities } from "@plimsoll/core/severity";
import { onSelf } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { invalidRequest } from "@plimsoll/registry/errors";
import { nextPage, orderParameter, PageToken } from "@plimsoll/registry/lists/list-pages";
import { keptDays } from "@plimsoll/registry/security/namespace-security/keep-trend";
import { readersOf } from "@plimsoll/registry/security/namespace-security/readers";
import { type Static, Type } from "typebox";
import { ImageSeverities, SeverityCounts } from "../../content/views.ts";
import { operation } from "../../operation.ts";
import {
  ImageWithNews,
  placeMembers,
  Upgrade,
  viewAffectedImages,
  viewAges,
  viewSecurity,
  viewTrend,
} from "./view-security.ts";
import { viewImagesWith, viewNews, viewVulnerability } from "./visible-findings.ts";

const pages = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Default: 20" })),
};

const coverage = {
  images: Type.Integer({ description: "Images that a tag shows, in each repository" }),
  uncounted: Type.Integer({ description: "Images whose vulnerabilities are not known" }),
  partial: Type.Integer({ description: "Those that may have more, since a scan could not judge all of them" }),
};

const more = { page: Type.Integer(), has_additional: Type.Boolean() };

const Security = Type.Object({
  severities: SeverityCounts,
  ...coverage,
  worst: Type.Array(
    Type.Object({
      ...placeMembers,
      severities: Type.Union([ImageSeverities, Type.Null()], { description: "Null: not counted" }),
    }),
    { description: "The worst first; those that are not counted come last" },
  ),
  upgrades: Type.Optional(
    Type.Array(Upgrade, { description: "Only where the query asks for it; those that remove the most come first" }),
  ),
  ...more,
});

const ofSecurity = Type.Object({
  ...pages,
  upgrades: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Also so many upgrades that remove critical and high ones" }),
  ),
});

const AffectedImages = Type.Object({
  affected: Type.Array(
    Type.Object({
      ...placeMembers,
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

const Trend = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: "date", description: "In UTC" }),
      severities: SeverityCounts,
      ...coverage,
    }),
    { description: "The earliest first; days before the first on which anything was counted are not among them" },
  ),
});

const Ages = Type.Object({
  ages: Type.Array(
    Type.Object({
      under_days: Type.Union([Type.Integer(), Type.Null()], {
        description:
          "They were found in the image less than so many days ago, and are in no earlier entry; null: earlier",
      }),
      severities: SeverityCounts,
    }),
    { description: "The latest first. What the first scan of an image found is as old as the image in its repository" },
  ),
  ...coverage,
});

const ofDays = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: keptDays, description: "Default: 30" })),
});

const News = Type.Object({ images: Type.Array(ImageWithNews, { description: "The latest first" }), ...more });

const Details = Type.Object({
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  description: Type.String(),
  links: Type.Array(Type.String()),
  severity: Type.Enum([...severities]),
  known_exploited: Type.Boolean(),
  epss: Type.Union([Type.Number(), Type.Null()], {
    description: "How likely an exploit is within 30 days, from 0 to 1",
  }),
  cvss: Type.Union([Type.Number(), Type.Null()]),
  published: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
});

const AffectedVulnerability = Type.Object({
  vulnerability: Type.Union([Details, Type.Null()], {
    description: "As the first of the images on the page has it; null where none says what it is",
  }),
  affected: Type.Array(
    Type.Object({
      ...placeMembers,
      severity: Type.Enum([...severities], { description: "Of the worst package that has it" }),
      fixable: Type.Boolean(),
      known_exploited: Type.Boolean(),
      packages: Type.Array(
        Type.Object({
          name: Type.String(),
          version: Type.String(),
          fixed_by: Type.String({ description: "Empty if no fix is known" }),
        }),
      ),
    }),
    { description: "In the order that is asked for" },
  ),
  ...more,
  total: Type.Optional(Type.Integer({ description: "The images of all pages; absent where they are over 10,000" })),
});

const found = { minLength: 1, maxLength: 512 };

const ImagesQuery = Type.Object({
  package_name: Type.Optional(
    Type.String({
      ...found,
      description: "The name of a package, or of its source, in any case; of PyPI also in any spelling",
    }),
  ),
  license: Type.Optional(
    Type.String({ ...found, description: "An SPDX identifier, in any case; a former one means its successor" }),
  ),
  supplier: Type.Optional(Type.String({ ...found, description: "As packages state it, in any case" })),
  version: Type.Optional(
    Type.String({ ...found, description: "Only packages with exactly this version, or with it after an epoch" }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "About how many images; default: 20" })),
  next_page: Type.Optional(PageToken),
});

const ImagesWith = Type.Object({
  images: Type.Array(
    Type.Object({
      ...placeMembers,
      packages: Type.Array(Type.Object({ name: Type.String(), version: Type.String() }), {
        description: "At most a hundred because of which the image was found",
      }),
    }),
    { description: "By digest. It may have fewer images than asked for although there are more" },
  ),
  ...nextPage,
});

/** The fact that is asked for. @throws RegistryError `invalid_request` unless it is one */
function factOf({ package_name, license, supplier }: Static<typeof ImagesQuery>) {
  const given = Object.entries({ package: package_name, license, supplier } as const);
  const [fact, ...others] = given.flatMap(([kind, value]) => (value === undefined ? [] : [{ kind, value } as const]));
  if (fact === undefined || others.length > 0) {
    throw invalidRequest("Expected one of package_name, license and supplier");
  }
  return fact as { readonly kind: "package" | "license" | "supplier"; readonly value: string };
}

/** Which vulnerabilities the images of a namespace have. */
export const namespaceSecurityOperations = [
  operation({
    ...ofOrganization,
    id: "getOrganizationSecurity",
    path: "/organization/{orgname}/security",
    summary: "How many vulnerabilities the images of an organization have, as far as the caller may read them.",
    query: ofSecurity,
    result: Security,
    handle: ({ subject: { organization }, query }, context) =>
      viewSecurity(context, organization, { ...first, ...query }),
  }),
  operation({
    ...ofUser,
    id: "getUserSecurity",
    path: "/user/security",
    summary: "How many vulnerabilities the images of the user's own namespace have.",
    query: ofSecurity,
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
  operation({
    ...ofOrganization,
    id: "getOrganizationSecurityTrend",
    path: "/organization/{orgname}/security/trend",
    summary:
      "How many vulnerabilities the images of an organization had on each day, as far as the caller may read them.",
    query: ofDays,
    result: Trend,
    handle: ({ subject: { organization }, query: { days = 30 } }, context) =>
      viewTrend(context, organization, { days }),
  }),
  operation({
    ...ofUser,
    id: "getUserSecurityTrend",
    path: "/user/security/trend",
    summary: "How many vulnerabilities the images of the user's own namespace had on each day.",
    query: ofDays,
    result: Trend,
    handle: ({ subject: { account }, query: { days = 30 } }, context) => viewTrend(context, account, { days }),
  }),
  operation({
    ...ofOrganization,
    id: "getOrganizationSecurityAges",
    path: "/organization/{orgname}/security/ages",
    summary:
      "How long the vulnerabilities of an organization's images have been known, as far as the caller may read them.",
    mayBeLong: true,
    result: Ages,
    handle: ({ subject: { organization } }, context) => viewAges(context, organization),
  }),
  operation({
    ...ofUser,
    id: "getUserSecurityAges",
    path: "/user/security/ages",
    summary: "How long the vulnerabilities of the images of the user's own namespace have been known.",
    mayBeLong: true,
    result: Ages,
    handle: ({ subject: { account } }, context) => viewAges(context, account),
  }),
  operation({
    ...ofUser,
    id: "listImagesWithNewVulnerabilities",
    path: "/security/new",
    summary:
      "In which images vulnerabilities were found lately, in the repositories that the caller may read and that are not merely public.",
    query: Type.Object({
      hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, description: "The period in hours; default: 24" })),
      ...pages,
    }),
    result: News,
    handle: ({ query }, context) => viewNews(context, { hours: 24, ...first, ...query }),
  }),
  operation({
    ...ofUser,
    id: "getVulnerability",
    path: "/security/vulnerability",
    summary: "Describe a vulnerability, and list the images that have it in all repositories that the caller may read.",
    mayBeLong: true,
    query: Type.Object({
      ...ofVulnerability.properties,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
      order: orderParameter(["image", "severity"], "image, its repository and digest,"),
    }),
    result: AffectedVulnerability,
    handle: ({ query }, context) => viewVulnerability(context, { ...first, ...query }),
  }),
  operation({
    ...ofUser,
    id: "listImagesWith",
    path: "/security/images",
    summary:
      "List the images that have a package, a licence or a supplier, in all repositories that the caller may read.",
    query: ImagesQuery,
    result: ImagesWith,
    handle: ({ query }, context) => {
      const { limit = 20, next_page: token, version } = query;
      return viewImagesWith(context, { ...factOf(query), version, limit }, token);
    },
  }),
];
