import { useRegistryConfig } from "../api/registry-config.ts";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";
import { ForgottenPassword } from "./forgotten-password.tsx";
import { NewAccount } from "./new-account.tsx";
import { useNextPage } from "./next-page.ts";

/**
 * The account page of an anonymous visitor: a link to sign in, and forms to create an account and to recover a password, if the
 * registry offers them. The sign-in page links to either form.
 */
export function WithoutAccount() {
  const config = useRegistryConfig();
  const [view] = useSearchParam("view");
  const next = useNextPage();
  return (
    <>
      <h1>{texts.account.title}</h1>
      <p>
        {texts.account.signInFirst} <SignInLink onTo={next} />
      </p>
      <Answered query={config}>
        {({ features }) => (
          <>
            {features.USER_CREATION && view !== "recovery" && <NewAccount />}
            {features.MAILING && view !== "new" && <ForgottenPassword />}
          </>
        )}
      </Answered>
    </>
  );
}
