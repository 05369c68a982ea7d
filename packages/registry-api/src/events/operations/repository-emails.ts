import { onRepository } from "@plimsoll/registry/access/on-repository";
import type { ImageRepository } from "@plimsoll/registry/access/queries/image-repositories";
import { notFound } from "@plimsoll/registry/errors";
import { findRepositoryEmail, type RepositoryEmail } from "@plimsoll/registry/events/queries/repository-emails";
import { requestEmailConsent } from "@plimsoll/registry/events/repository-emails";
import { type Static, Type } from "typebox";
import { operation } from "../../operation.ts";

const AuthorizedEmail = Type.Object({
  email: Type.String(),
  repository: Type.String(),
  namespace: Type.String(),
  confirmed: Type.Boolean({ description: "Whether notifications may be sent to the address" }),
});

const shared = {
  tag: "repoemail",
  path: "/repository/{repository}/authorizedemail/{email}",
  internal: true,
  access: onRepository("admin"),
  success: 200,
  result: AuthorizedEmail,
} as const;

const checkRepoEmailAuthorized = operation({
  ...shared,
  id: "checkRepoEmailAuthorized",
  method: "GET",
  summary: "Whether an email address has agreed to the repository's notifications.",
  async handle({ subject: { repository }, params: { email = "" } }, context) {
    const found = await findRepositoryEmail(context, repository, email);
    if (found === undefined)
      throw notFound(
        "The address was not asked for its consent to notifications of the repository: request it with POST",
      );
    return view(repository, found);
  },
});

const sendAuthorizeRepoEmail = operation({
  ...shared,
  id: "sendAuthorizeRepoEmail",
  method: "POST",
  summary: "Ask an email address for its consent to the repository's notifications.",
  handle: async ({ subject: { repository }, params: { email = "" } }, context) =>
    view(repository, await requestEmailConsent(context, repository, email)),
});

function view(
  { name, namespace }: ImageRepository,
  { email, confirmed }: RepositoryEmail,
): Static<typeof AuthorizedEmail> {
  return { email, repository: name, namespace, confirmed };
}

/** The operations on e-mail addresses for a repository's notifications. */
export const repositoryEmailOperations = [checkRepoEmailAuthorized, sendAuthorizeRepoEmail];
