import { Menu } from "@base-ui/react/menu";
import { TriangleDownIcon } from "@primer/octicons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../api/call.ts";
import { useCurrentUser, useForgetUser } from "../api/current-user.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { type Language, language, languageKey, languages } from "../texts/language.ts";
import { texts } from "../texts/texts.ts";
import { SignInLink } from "./sign-in-link.tsx";

/** The menu of the signed-in user: theme, account, sign-out. Anonymous visitors see a link to sign in. */
export function UserMenu() {
  const user = useCurrentUser().data;
  if (user === undefined) return <span className="user" />;
  if (user === null) return <WithoutUser />;
  return <UserMenuOf username={user.username} />;
}

function WithoutUser() {
  const features = useRegistryConfig().data?.features;
  return (
    <span className="user">
      <LanguageSwitch /> <SignInLink />{" "}
      {features?.USER_CREATION && <Link href="/account">{texts.shell.createAccount}</Link>}
    </span>
  );
}

const languageNames = Object.entries(languages) as readonly (readonly [Language, string])[];

/** Shows the console in a language from now on, in this browser. */
function chooseLanguage(chosen: Language): void {
  localStorage.setItem(languageKey, chosen);
  window.location.reload();
}

/** The other languages, for visitors who have no menu. */
function LanguageSwitch() {
  const others = languageNames.filter(([each]) => each !== language);
  return others.map(([each, name]) => (
    <button key={each} type="button" className="quiet" lang={each} onClick={() => chooseLanguage(each)}>
      {name}
    </button>
  ));
}

function UserMenuOf({ username }: { readonly username: string }) {
  const [theme, setTheme] = useTheme();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return (
    <Menu.Root>
      <Menu.Trigger className="user quiet">
        {username} <TriangleDownIcon />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4}>
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={theme} onValueChange={setTheme} aria-label={texts.shell.themeLabel}>
              {(["system", "light", "dark"] as const).map((each) => (
                <Menu.RadioItem key={each} value={each} className="menu-item">
                  {texts.shell.theme[each]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-separator" />
            <Menu.RadioGroup value={language} onValueChange={chooseLanguage} aria-label={texts.shell.languageLabel}>
              {languageNames.map(([each, name]) => (
                <Menu.RadioItem key={each} value={each} className="menu-item" lang={each}>
                  {name}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-separator" />
            <Menu.Item className="menu-item" onClick={() => navigate("/account")}>
              {texts.shell.account}
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={() => signOut.mutate()}>
              {texts.shell.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The theme of the console: light, dark, or that of the system. */
type Theme = "system" | "light" | "dark";

const key = "plimsoll.theme";

/** The chosen theme, kept in the browser's storage. */
function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const change = (chosen: Theme) => {
    localStorage.setItem(key, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, change];
}

/** Applies a theme; by default, the stored one. */
export function showTheme(theme = storedTheme()): void {
  document.documentElement.dataset.theme = theme;
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/**
 * Ends the visitor's session and fetches all shown data again. If an identity provider with a logout page signed the user in, the browser opens
 * that page instead.
 */
export function useSignOut() {
  const forgetUser = useForgetUser();
  return useOneAtATime({
    mutationFn: () => call("POST /signout", {}),
    onSuccess: async ({ end_session_url: elsewhere }) => {
      await forgetUser();
      if (elsewhere !== undefined) window.location.assign(elsewhere);
    },
  });
}
