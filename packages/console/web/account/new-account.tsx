import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { Section } from "../shared/section.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { useNextPage } from "./next-page.ts";

const words = texts.newAccount;

/** Creates an account and signs it in; tells the visitor if its e-mail address must be confirmed first. */
export function NewAccount() {
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
  if (isAwaitingConfirmation) return <p role="status">{words.confirm}</p>;
  return (
    <Section title={words.title}>
      <ChangeForm
        label={words.create}
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
        <TextField name="username" label={words.username} required maxLength={255} autoComplete="username" />
        <TextField name="email" label={words.email} type="email" autoComplete="email" />
        <TextField
          name="password"
          label={words.password}
          rule={words.passwordRule}
          type="password"
          required
          minLength={8}
          autoComplete="new-password"
        />
      </ChangeForm>
    </Section>
  );
}
