import { useCurrentUser } from "../api/current-user.ts";
import { UsageLog } from "../logs/usage-log.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { UnknownPage } from "../shell/unknown-page.tsx";
import { texts } from "../texts/texts.ts";
import { Feeds } from "./feeds.tsx";
import { Garbage } from "./garbage.tsx";
import { Jobs } from "./jobs.tsx";
import { Messages } from "./messages.tsx";
import { AllOrganizations } from "./organizations.tsx";
import { ServiceKeys } from "./service-keys.tsx";
import { Settings } from "./settings.tsx";
import { Storage } from "./storage.tsx";
import { Users } from "./users.tsx";

const { title, tabs } = texts.admin;

/** The pages of superusers. Others see that the page does not exist. */
export function Admin() {
  const user = useCurrentUser().data;
  const [view] = useSearchParam("view");
  if (user === undefined) return undefined;
  if (user === null || !(user.super_user || user.global_readonly_super_user)) return <UnknownPage />;
  const current = (view in tabs ? view : "users") as keyof typeof tabs;
  return (
    <>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} current={current} />
      {current === "users" && <Users />}
      {current === "organizations" && <AllOrganizations />}
      {current === "messages" && <Messages />}
      {current === "keys" && <ServiceKeys />}
      {current === "jobs" && <Jobs />}
      {current === "feeds" && <Feeds />}
      {current === "storage" && <Storage />}
      {current === "garbage" && <Garbage />}
      {current === "logs" && <UsageLog owner={{ kind: "registry" }} />}
      {current === "settings" && <Settings />}
    </>
  );
}
