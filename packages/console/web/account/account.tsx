import { useCurrentUser } from "../api/current-user.ts";
import { Organizations } from "../organizations/organizations.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { AccountSettings } from "./account-settings.tsx";
import { AppTokens } from "./app-tokens.tsx";
import { AssignedAuthorizations, Authorizations } from "./authorizations.tsx";
import { Notices } from "./notices.tsx";
import { WithoutAccount } from "./without-account.tsx";

const { title, tabs } = texts.account;

/** The account of the visitor. */
export function Account() {
  const user = useCurrentUser().data;
  const [view] = useSearchParam("view");
  const current = (view in tabs ? view : "organizations") as keyof typeof tabs;
  if (user === undefined) return undefined;
  if (user === null) return <WithoutAccount />;
  return (
    <>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} current={current} />
      {current === "organizations" && <Organizations />}
      {current === "tokens" && <AppTokens />}
      {current === "applications" && (
        <>
          <AssignedAuthorizations />
          <Authorizations />
        </>
      )}
      {current === "notices" && <Notices />}
      {current === "settings" && <AccountSettings />}
    </>
  );
}
