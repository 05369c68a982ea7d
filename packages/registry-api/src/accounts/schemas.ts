import { accountsPerPage } from "@plimsoll/registry/accounts/all-accounts";
import { PageToken } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";

/** A password as a user types it. */
export const Password = Type.String({ maxLength: 1024 });

/** An e-mail address. */
export const Email = Type.String({ maxLength: 254 });

/** The page of the registry to which the link of a message leads back in the end. */
export const NextPage = Type.String({
  maxLength: 2048,
  description: "The path of the page to show after signing in; the link of the message keeps it. Plimsoll's own",
});

/** An e-mail address, or null to remove it. */
export const ClearableEmail = Type.Union([Email, Type.Null()], { description: "Empty or null: none" });

/** For how long removed tags can be restored. */
export const TagExpiration = Type.Integer({ minimum: 0, maximum: 100_000_000_000, description: "Seconds" });

/** The query parameters of a superuser's list of accounts. */
export const AccountPageQuery = Type.Object({
  next_page: Type.Optional(PageToken),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: accountsPerPage,
      description: `Accounts a page; ${accountsPerPage} where absent`,
    }),
  ),
});
