import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useChange } from "../api/use-change.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/fields.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";

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

const words = texts.forgottenPassword;

/** Requests an e-mail with a link for choosing a new password. */
function ForgottenPassword() {
  const change = useChange("POST /recovery", []);
  const next = useNextPage();
  const given = (typed: Typed) => ({ body: { email: typed("email"), next: next || undefined } });
  return (
    <Section title={words.title} about={words.about}>
      <ChangeForm label={words.send} change={change} given={given}>
        <TextField name="email" label={words.email} type="email" required autoComplete="email" />
      </ChangeForm>
      {change.isSuccess && <p role="status">{words.sent}</p>}
    </Section>
  );
}

const newAccountWords = texts.newAccount;

/** Creates an account and signs it in; tells the visitor if its e-mail address must be confirmed first. */
function NewAccount() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isAwaitingConfirmation, setAwaitingConfirmation] = useState(false);
  const next = useNextPage();
  const change = useChange("POST /user/", []);
  const given = (typed: Typed) => {
    const email = typed("email");
    const { username, password } = { username: typed("username"), password: typed("password") };
    return { body: { username, password, email: email || undefined, next: next || undefined } };
  };
  if (isAwaitingConfirmation) return <p role="status">{newAccountWords.confirm}</p>;
  return (
    <Section title={newAccountWords.title}>
      <ChangeForm
        label={newAccountWords.create}
        change={change}
        given={given}
        layout="fields"
        onDone={async (account) => {
          if ("awaiting_verification" in account) return setAwaitingConfirmation(true);
          await queries.resetQueries();
          if (next === undefined) navigate("/");
          else window.location.assign(next); // it may be a page of the server, such as the authorization of an application
        }}
      >
        <TextField name="username" label={newAccountWords.username} required maxLength={255} autoComplete="username" />
        <TextField name="email" label={newAccountWords.email} type="email" autoComplete="email" />
        <TextField
          name="password"
          label={newAccountWords.password}
          rule={newAccountWords.passwordRule}
          type="password"
          required
          minLength={8}
          autoComplete="new-password"
        />
      </ChangeForm>
    </Section>
  );
}

/** The page to open after sign-in, from the parameter `next` of the address; undefined if it is absent or on another host. */
function useNextPage(): string | undefined {
  const [next] = useSearchParam("next");
  return localPath(next, window.location.origin);
}

/** Parses the address of a page of an origin to a path with its query; undefined for any text that a browser might resolve to another origin. */
export function localPath(text: string, origin: string): string | undefined {
  if (!/^\/[^\\\x00-\x20\x7f]*$/.test(text)) return undefined;
  const url = URL.parse(text, origin);
  if (url === null || url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return `${url.pathname}${url.search}`;
}
