import { acceptInvite, declineInvite, getInvite, mayDecline } from "@plimsoll/registry/organizations/teams/invites";
import type { NamedInvite } from "@plimsoll/registry/organizations/teams/queries/invites";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { FastifyRequest } from "fastify";
import type { OperationContext } from "../context.ts";
import { replyOperation } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { fieldsOf, onPageUser, type PageUser } from "./page-session.ts";
import { sendPage } from "./send-page.ts";

/** The operations of the page that the link in an invite opens. Opening it changes nothing: its buttons join the team or decline. */
export const invitePageOperations = [
  replyOperation({
    id: "showInvitePage",
    method: "GET",
    path: "/confirminvite",
    summary: "The page that the mail of an invite leads to.",
    access: onPageUser,
    success: 200,
    withoutHead: true,
    async handle({ subject: user }, { registry, request, reply }) {
      const { store, clock } = registry;
      const context = { db: store.db, now: clock.now() };
      const { code = "" } = fieldsOf(request.query);
      return sendPage(reply, 200, questionPage(await getInvite(context, user.account, code), { user, code }));
    },
  }),
  replyOperation({
    id: "answerInvitePage",
    method: "POST",
    path: "/confirminvite",
    summary: "Join the team, or decline.",
    access: onPageUser,
    success: 200,
    audit: ["org_team_member_invite_accepted", "org_team_member_invite_declined"],
    async handle({ subject: user }, { registry, request, reply }) {
      const { store, clock } = registry;
      const answered = await store.transaction((db) => {
        const context = { db, now: clock.now(), log: logOf(db, registry, { request, user }) };
        return answerInvite(context, user, fieldsOf(request.body));
      });
      return sendPage(reply, 200, { ...answered, user });
    },
  }),
];

function questionPage(invite: NamedInvite, { user, code }: { readonly user: PageUser; readonly code: string }): Page {
  const { team, organization, inviter } = invite;
  const decline = mayDecline(invite, user.account) ? html` <button name="answer" value="decline">Decline</button>` : "";
  return {
    title: `Join ${team} of ${organization}?`,
    user,
    body: html`<p>${inviter} invites you, ${user.account.username}, to the team ${team} of the organization ${organization}.</p>
<form method="post" action="/confirminvite">
<input type="hidden" name="_csrf_token" value="${user.csrfToken}"><input type="hidden" name="code" value="${code}">
<button name="answer" value="accept">Join</button>${decline}
</form>`,
  };
}

async function answerInvite(
  context: Pick<
    OperationContext<"org_team_member_invite_accepted" | "org_team_member_invite_declined">,
    "db" | "log" | "now"
  >,
  { account }: PageUser,
  { code = "", answer }: ReturnType<typeof fieldsOf>,
): Promise<Page> {
  if (answer === "decline") {
    await declineInvite(context, account, code);
    return { title: "Declined", body: html`<p>You have not joined the team.</p>` };
  }
  const { team, organization } = await acceptInvite(context, account, code);
  return { title: "Joined", body: html`<p>You are in the team ${team} of ${organization}.</p>` };
}

function logOf(
  db: RegistryDb,
  { clock }: ServedRegistry,
  { request, user }: { readonly request: FastifyRequest; readonly user: PageUser },
): OperationContext<LogKind>["log"] {
  const principal = { kind: "user", account: user.account, via: { kind: "password" } } as const;
  const by = { principal, ip: request.ip, at: clock.now() };
  return (kind, metadata, place) => writeUsageLog(db, { kind, metadata, ...place, ...by });
}
