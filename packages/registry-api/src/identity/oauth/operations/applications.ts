import { seesSecrets } from "@plimsoll/registry/access/global-role";
import { visitors } from "@plimsoll/registry/access/on-account";
import { onApplication } from "@plimsoll/registry/access/on-application";
import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { findAccountById, findOAuthApplication, type OAuthApplication } from "@plimsoll/registry/access/queries";
import { viewerOf } from "@plimsoll/registry/access/see-organization";
import { notFound } from "@plimsoll/registry/errors";
import {
  changeApplication,
  createApplication,
  deleteApplication,
  resetClientSecret,
} from "@plimsoll/registry/identity/oauth/applications";
import { listOAuthApplications } from "@plimsoll/registry/identity/oauth/queries";
import {
  beforeOldest,
  type CreationKey,
  ListPageQuery,
  nextPage,
  readListPage,
} from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { operation, withoutNull } from "../../../operation.ts";
import { organizationView } from "../../../organizations/views.ts";
import { ApplicationInformation, ApplicationView, applicationAvatar, applicationView } from "../views.ts";

const shared = { tag: "organization", about: { client_id: "The client id of the application" } } as const;

const path = "/organization/{orgname}/applications";

const Name = Type.String({ minLength: 1, maxLength: 255, description: "The name that users see" });

const Uri = Type.String({ maxLength: 2000 });

const optional = {
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  avatar_email: Type.Optional(Type.Union([Type.String({ maxLength: 254 }), Type.Null()])),
};

const getOrganizationApplications = operation({
  ...shared,
  id: "getOrganizationApplications",
  method: "GET",
  path,
  summary: "The OAuth applications of an organization.",
  access: onOrganization("admin"),
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ applications: Type.Array(ApplicationView), ...nextPage }),
  async handle({ subject, query }, context) {
    const { id: ownerId } = subject.organization;
    const keyOf = ({ created_at, client_id }: OAuthApplication): CreationKey => [created_at, client_id];
    const list = { list: "applications", ownerId, query, first: beforeOldest, keyOf } as const;
    const { rows, ...next } = await readListPage(context, list, (from) =>
      listOAuthApplications(context.db, ownerId, from),
    );
    return { applications: rows.map((each) => applicationView(each, secretsFor(subject, context))), ...next };
  },
});

const createOrganizationApplication = operation({
  ...shared,
  id: "createOrganizationApplication",
  keeps: "applications",
  audit: ["create_application"],
  method: "POST",
  path,
  summary: "Register an OAuth application.",
  access: onOrganization("admin"),
  body: Type.Object({
    name: Name,
    redirect_uri: Type.Optional(Uri),
    application_uri: Type.Optional(Uri),
    ...optional,
  }),
  success: 201,
  result: ApplicationView,
  async handle({ subject, body }, context) {
    const application = await createApplication(context, subject.organization.id, withoutNull(body));
    const { name: application_name, client_id } = application;
    await context.log("create_application", { ...body, application_name, client_id });
    return applicationView(application, context.secrets);
  },
});

const getOrganizationApplication = operation({
  ...shared,
  id: "getOrganizationApplication",
  versionMembers: ["name", "redirect_uri", "application_uri", "description", "avatar_email"],
  method: "GET",
  path: `${path}/{client_id}`,
  summary: "An OAuth application.",
  access: onApplication,
  success: 200,
  result: ApplicationView,
  handle: async ({ subject }, context) => applicationView(subject.application, secretsFor(subject, context)),
});

const updateOrganizationApplication = operation({
  ...shared,
  id: "updateOrganizationApplication",
  version: getOrganizationApplication,
  audit: ["update_application"],
  method: "PUT",
  path: `${path}/{client_id}`,
  summary: "Replace the description of an OAuth application.",
  access: onApplication,
  body: Type.Object({ name: Name, redirect_uri: Uri, application_uri: Uri, ...optional }),
  success: 200,
  result: ApplicationView,
  async handle({ subject, body }, context) {
    const application = await changeApplication(context, subject.application, withoutNull(body));
    const { name: application_name, client_id } = application;
    await context.log("update_application", { ...body, application_name, client_id });
    return applicationView(application, context.secrets);
  },
});

const deleteOrganizationApplication = operation({
  ...shared,
  id: "deleteOrganizationApplication",
  version: getOrganizationApplication,
  audit: ["delete_application"],
  method: "DELETE",
  path: `${path}/{client_id}`,
  summary: "Delete an OAuth application; its tokens end.",
  access: onApplication,
  success: 204,
  handle: ({ subject }, context) => deleteApplication(context, subject.application),
});

const resetApplicationSecret = operation({
  ...shared,
  id: "resetOrganizationApplicationClientSecret",
  version: getOrganizationApplication,
  audit: ["reset_application_client_secret"],
  method: "POST",
  path: `${path}/{client_id}/resetclientsecret`,
  summary: "Give an OAuth application another secret.",
  internal: true,
  access: onApplication,
  success: 200,
  result: ApplicationView,
  async handle({ subject }, context) {
    const application = await resetClientSecret(context, subject.application);
    const { name: application_name, client_id } = application;
    await context.log("reset_application_client_secret", { application_name, client_id });
    return applicationView(application, context.secrets);
  },
});

const getApplicationInformation = operation({
  ...shared,
  id: "getApplicationInformation",
  method: "GET",
  path: "/app/{client_id}",
  summary: "The public details of an OAuth application.",
  access: visitors,
  success: 200,
  result: ApplicationInformation,
  async handle({ params }, context) {
    const application = await findOAuthApplication(context.db, params.client_id);
    const organization = application && (await findAccountById(context.db, application.organization_id));
    if (application === undefined || organization === undefined)
      throw notFound("There is no application with that client id");
    const { name, description, application_uri: uri } = application;
    const viewer = await viewerOf(context, organization.id);
    const avatar = applicationAvatar(application, organization);
    return {
      name,
      description,
      uri,
      avatar,
      organization: organizationView(organization, viewer, { teams: [], quota: {} }),
    };
  },
});

function secretsFor({ role }: OrganizationSubject, { secrets, globalRole }: OperationContext) {
  return seesSecrets(globalRole, { isAdmin: role === "admin" }) ? secrets : undefined;
}

/** Operations on the OAuth applications of organizations. */
export const oauthApplicationOperations = [
  getOrganizationApplications,
  createOrganizationApplication,
  getOrganizationApplication,
  updateOrganizationApplication,
  deleteOrganizationApplication,
  resetApplicationSecret,
  getApplicationInformation,
];
