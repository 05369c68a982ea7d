import { createContext, useContext } from "react";
import { texts } from "../texts/texts.ts";

/** The reason for the password question: a change or a page requires the password again, or the session has ended. */
export type Reason = "fresh" | "ended";

/** Asks the visitor for the password, once for all who ask at the same time. Resolves when the registry has accepted it; rejects if the visitor cancels. */
export type Ask = (reason: Reason, user: { readonly username: string }) => Promise<void>;

/** The dialog that asks; without one, nobody gives a password. */
export const AskPassword = createContext<Ask>(() => Promise.reject(new Error(texts.password.cancelled)));

/** The question of the frame that a component is in. */
export function useAskPassword(): Ask {
  return useContext(AskPassword);
}
