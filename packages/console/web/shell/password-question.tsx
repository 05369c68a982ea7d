import { Dialog } from "@base-ui/react/dialog";
import type { UseMutationResult } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { call, renewCsrfToken } from "../api/call.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";
import { type Ask, AskPassword, type Reason } from "./ask-password.ts";

const words = texts.password;

interface OpenQuestion {
  readonly reason: Reason;
  readonly username: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Provides `useAskPassword` to the pages below, with the dialog that asks. */
export function PasswordQuestion({ children }: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<OpenQuestion>();
  const asked = useRef<Promise<void>>(undefined);
  const ask: Ask = (reason, { username }) => {
    asked.current ??= new Promise<void>((resolve, reject) =>
      setQuestion({ reason, username, resolve, reject }),
    ).finally(() => {
      asked.current = undefined;
    });
    return asked.current;
  };
  const cancel = () => {
    question?.reject(new Error(words.cancelled));
    setQuestion(undefined);
  };
  const done = () => {
    question?.resolve();
    setQuestion(undefined);
  };
  return (
    <AskPassword.Provider value={ask}>
      {children}
      <Dialog.Root open={question !== undefined} onOpenChange={(isOpen) => !isOpen && cancel()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup className="dialog">
            {question?.reason === "ended" ? (
              <SessionEnded username={question.username} onDone={done} onCancel={cancel} />
            ) : (
              <PasswordAgain onDone={done} onCancel={cancel} />
            )}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </AskPassword.Provider>
  );
}

interface FormCallbacks {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function PasswordAgain({ onDone, onCancel }: FormCallbacks) {
  const verify = useOneAtATime({
    mutationFn: (password: string) => call("POST /signin/verify", { body: { password } }),
    onSuccess: onDone,
  });
  return (
    <>
      <Dialog.Title>{words.title}</Dialog.Title>
      <Dialog.Description>{words.why}</Dialog.Description>
      <PasswordForm given={verify} onCancel={onCancel} />
    </>
  );
}

/** Signs the visitor in again, here or, without a password, in another tab. */
function SessionEnded({ username, onDone, onCancel }: FormCallbacks & { readonly username: string }) {
  const signIn = useOneAtATime({
    async mutationFn(password: string) {
      await renewCsrfToken();
      if (password !== "") await call("POST /signin", { body: { username, password } });
    },
    onSuccess: onDone,
  });
  return (
    <>
      <Dialog.Title>{words.ended}</Dialog.Title>
      <Dialog.Description>{words.stillHere(username)}</Dialog.Description>
      <PasswordForm given={signIn} onCancel={onCancel} isOptional />
      <p>
        <a href="/signin?next=%2F" target="_blank" rel="noreferrer">
          {words.otherTab}
        </a>
      </p>
    </>
  );
}

interface PasswordFormProps extends Pick<FormCallbacks, "onCancel"> {
  readonly given: UseMutationResult<unknown, Error, string>;
  readonly isOptional?: true;
}

function PasswordForm({ given, onCancel, isOptional }: PasswordFormProps) {
  return (
    <form
      className="fields"
      onSubmit={(event) => {
        event.preventDefault();
        given.mutate(String(new FormData(event.currentTarget).get("password")));
      }}
    >
      <TextField
        name="password"
        type="password"
        label={words.field}
        autoComplete="current-password"
        required={isOptional !== true}
      />
      {given.isError && <Failure error={given.error} />}
      <div className="actions">
        <button type="submit" className="primary" disabled={given.isPending}>
          {words.confirm}
        </button>
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}
