import { useCurrentUser } from "../api/current-user.ts";
import { Organizations } from "../organizations/organizations.tsx";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";
import { AppTokens } from "./app-tokens.tsx";
import { AskedAuthorizations, Authorizations } from "./authorizations.tsx";

/** The account of the visitor. */
export function Account() {
  const user = useCurrentUser().data;
  if (user === null) {
    return (
      <p>
        {texts.account.signInFirst} <SignInLink />
      </p>
    );
  }
  return (
    <>
      <h1>{texts.account.title}</h1>
      {user !== undefined && (
        <>
          <Organizations />
          <AppTokens />
          <AskedAuthorizations />
          <Authorizations />
        </>
      )}
    </>
  );
}
