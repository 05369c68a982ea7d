import { useRegistryConfig } from "../api/registry-config.ts";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";
import { ForgottenPassword } from "./forgotten-password.tsx";
import { NewAccount } from "./new-account.tsx";

/** What visitors who have not signed in may do: sign in, make an account where the registry lets them, choose another password by e-mail. */
export function WithoutAccount() {
  const features = useRegistryConfig().data?.features;
  if (features === undefined) return undefined;
  return (
    <>
      <h1>{texts.account.title}</h1>
      <p>
        {texts.account.signInFirst} <SignInLink />
      </p>
      {features.USER_CREATION && <NewAccount />}
      {features.MAILING && <ForgottenPassword />}
    </>
  );
}
