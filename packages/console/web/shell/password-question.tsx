import { Dialog } from "@base-ui/react/dialog";
import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";
import { call } from "../api/call.ts";
import { verifyUser } from "../api/generated/user.ts";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.password;

const AskPassword = createContext<() => Promise<void>>(() => Promise.reject(new Error(words.cancelled)));

/** Asks for the visitor's password. Resolves once the registry has taken it; rejects where the visitor gives up. */
export function useAskPassword(): () => Promise<void> {
  return useContext(AskPassword);
}

interface Asked {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Lets the pages below ask for the password. */
export function PasswordQuestion({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const ask = () => new Promise<void>((resolve, reject) => setAsked({ resolve, reject }));
  const cancel = () => {
    asked?.reject(new Error(words.cancelled));
    setAsked(undefined);
  };
  const done = () => {
    asked?.resolve();
    setAsked(undefined);
  };
  return (
    <AskPassword.Provider value={ask}>
      {children}
      <Dialog.Root open={asked !== undefined} onOpenChange={(isOpen) => !isOpen && cancel()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup className="dialog">
            <Dialog.Title>{words.title}</Dialog.Title>
            <Dialog.Description>{words.why}</Dialog.Description>
            <PasswordForm onDone={done} onCancel={cancel} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </AskPassword.Provider>
  );
}

function PasswordForm({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel: () => void }) {
  const verify = useMutation({
    mutationFn: (password: string) => call(verifyUser, { body: { password } }),
    onSuccess: onDone,
  });
  return (
    <form
      className="fields"
      onSubmit={(event) => {
        event.preventDefault();
        verify.mutate(String(new FormData(event.currentTarget).get("password")));
      }}
    >
      <TextField name="password" type="password" label={words.field} autoComplete="current-password" required />
      {verify.isError && <Failure error={verify.error} />}
      <div className="actions">
        <button type="submit" className="primary" disabled={verify.isPending}>
          {words.confirm}
        </button>
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}
