import { type Mail, type Mailer, noMailer } from "../ports.ts";
import { type Delivery, deliver, reasonOf, type SendingDeps } from "./delivery.ts";
import { DeliveryFailed } from "./delivery-failed.ts";
import type { NotificationMethod } from "./notification-methods.ts";
import { renderTemplate } from "./render-template.ts";
import { type EventLevel, summarizeEvent } from "./summarize-event.ts";

/** The methods that send to other systems. */
export type SentMethod = Exclude<NotificationMethod, "quay_notification">;

/** Sends an event by a method. @returns a description of the receiver's response @throws DeliveryFailed */
export function sendEvent(method: SentMethod, delivery: Delivery, deps: SendingDeps): Promise<string> {
  return senders[method](delivery, deps);
}

const senders: Readonly<Record<SentMethod, (delivery: Delivery, deps: SendingDeps) => Promise<string>>> = {
  async webhook({ id, event, members, config, secret, now }, deps) {
    const { url, template } = config;
    const text =
      typeof template === "string" && template !== "" ? renderTemplate(template, members) : JSON.stringify(members);
    const told = { id, name: event, isTest: members.test === true, secret, at: now };
    return deliver(deps, { url: String(url), text, event: told });
  },
  async slack({ event, members, config }, deps) {
    const { text, level } = summarizeEvent(event, members);
    const linked = `<${escapeSlack(String(members.homepage))}|${escapeSlack(placeOf(members))}>`;
    const linkedText = `${escapeSlack(text)} ${linked}`;
    const attachments = [{ fallback: text, text: linkedText, color: slackColors[level], mrkdwn_in: ["text"] }];
    return deliver(deps, {
      url: String(config.url),
      text: JSON.stringify({ text: linkedText, username: deps.title, attachments }),
    });
  },
  async teams({ event, members, config }, deps) {
    const { text, level } = summarizeEvent(event, members);
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [{ type: "TextBlock", text, wrap: true, color: cardColors[level] }],
      actions: [{ type: "Action.OpenUrl", title: placeOf(members), url: String(members.homepage) }],
    };
    const attachments = [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }];
    return deliver(deps, { url: String(config.url), text: JSON.stringify({ type: "message", attachments }) });
  },
  async email({ event, members, addresses }, { mailer, title, signal }) {
    if (mailer === noMailer) throw new DeliveryFailed("this registry sends no e-mail");
    const { text } = summarizeEvent(event, members);
    const lines = Object.entries(members).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    const mail = { subject: `${title}: ${text}`.slice(0, 200), text: [text, "", ...lines, ""].join("\n") };
    return mailAll(
      addresses.map((to) => ({ ...mail, to })),
      { mailer, signal },
    );
  },
};

/** Sends each message. It fails only if none was accepted, since another attempt would send the others a second time. */
async function mailAll(
  mails: readonly Mail[],
  { mailer, signal }: { readonly mailer: Mailer; readonly signal: AbortSignal },
): Promise<string> {
  const sent = await Promise.allSettled(mails.map((mail) => mailer.send(mail, { signal })));
  const accepted = sent.filter(({ status }) => status === "fulfilled").length;
  if (accepted === mails.length && accepted > 0) return "the mail server accepted the message";
  if (accepted > 0) return `the mail server accepted the message for ${accepted} of ${mails.length} addresses`;
  const refused = sent.find((each) => each.status === "rejected");
  if (refused === undefined) throw new DeliveryFailed("nobody who would be told has a confirmed e-mail address");
  const cause: unknown = refused.reason;
  throw new DeliveryFailed(`the mail server did not accept the message: ${reasonOf(cause)}`, { cause });
}

/** The name of what an event is about: the repository, or the namespace. */
function placeOf({ repository, namespace }: Delivery["members"]): string {
  return String(repository ?? namespace);
}

const slackColors = { info: "#439fe0", success: "good", warning: "warning", error: "danger" } as const satisfies Record<
  EventLevel,
  string
>;
const cardColors = {
  info: "Accent",
  success: "Good",
  warning: "Warning",
  error: "Attention",
} as const satisfies Record<EventLevel, string>;

/** @see https://api.slack.com/reference/surfaces/formatting#escaping */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
