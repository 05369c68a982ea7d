import { useLocation } from "wouter";
import { currentUserKey, useCurrentUser, useForgetUser } from "../api/current-user.ts";
import { useChange } from "../api/use-change.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.accountSettings;

/** Changes the visitor's e-mail address and password; deletes the account. */
export function AccountSettings() {
  const user = useCurrentUser().data;
  const forgetUser = useForgetUser();
  const [, navigate] = useLocation();
  const email = useChange("PUT /user/", [currentUserKey]);
  const password = useChange("PUT /user/", []);
  const removal = useChange("DELETE /user/", []);
  const leave = () => {
    navigate("/");
    forgetUser();
  };
  if (!user) return undefined;
  return (
    <>
      <Section title={words.email} about={words.emailAbout}>
        <EditForm
          label={words.saveEmail}
          change={email}
          given={(typed) => ({ body: { email: typed("email") } })}
          value={user}
          fields={(shown) => (
            <TextField name="email" label={words.email} type="email" required defaultValue={shown.email ?? ""} />
          )}
        />
        {email.isSuccess && <p role="status">{words.saved}</p>}
      </Section>
      <Section title={words.password} about={words.passwordAbout}>
        <ChangeForm
          label={words.savePassword}
          change={password}
          given={(typed) => ({ body: { password: typed("password") } })}
        >
          <TextField
            name="password"
            label={words.newPassword}
            rule={words.newPasswordRule}
            type="password"
            autoComplete="new-password"
            minLength={8}
            required
          />
        </ChangeForm>
        {password.isSuccess && <p role="status">{words.saved}</p>}
      </Section>
      <Section title={words.end} about={words.endAbout}>
        <ConfirmedButton
          label={words.remove}
          consequence={words.endAbout}
          typed={user.username}
          change={removal}
          given={{}}
          onDone={leave}
        />
      </Section>
    </>
  );
}
