// The dialogs: all of a node with its machine, and all of a request.

import { byId, duration, element, labelled } from "./dom.js";
import { colour } from "./lists.js";

const PARTS = ["power", "boot_device", "boot_mode", "bios", "firmware", "indicators", "inspect",
  "media", "subscriptions"];

function show(title, ...parts) {
  byId("details-title").textContent = title;
  byId("details-body").replaceChildren(...parts.filter(Boolean));
  if (!byId("details").open) byId("details").showModal();
}

function block(title, value, open = false) {
  return element("details", open ? { open: "" } : {}, element("summary", {}, title),
    element("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)));
}

export function showNode(found, openRequest, changeMachine) {
  const { node, machine, due, history, requests, faults, ...children } = found;
  const rows = Object.entries(children).filter(([, all]) => all.length);
  show(
    node.name || node.uuid,
    facts(found),
    machine ? machineForm(machine, changeMachine) : null,
    part(`History (${history.length})`, history.map((one) => element("li", {},
      `${one.created_at.slice(0, 19)} `,
      element("span", { class: one.severity === "ERROR" ? "bad" : "" }, one.severity), ` ${one.event}`))),
    part(`Requests (${requests.length})`, [...requests].reverse().map((one) => element("li", {},
      element("button", { class: "link", click: () => openRequest(one.id) },
        `${one.at.slice(11, 19)} ${one.method} ${one.path}`), ` ${one.status || "dropped"}`))),
    part(`Faults (${faults.length})`, faults.map((one) => element("li", {},
      `${JSON.stringify(one.match)}: ${JSON.stringify(one.do)}, met ${one.done} of ${one.seen}`))),
    block("JSON of the node", node),
    ...rows.map(([name, all]) => block(`JSON of its ${name.replace("_", " ")} (${all.length})`, all)),
    machine ? block("JSON of its machine", machine) : null,
  );
}

// What most want to know of a node.
function facts({ node, due, history, traits, ports, portgroups, volume_connectors, volume_targets }) {
  const target = node.target_provision_state ? ` → ${node.target_provision_state}` : "";
  const state = element("span", { class: colour(node.provision_state) }, `${node.provision_state}${target}`);
  const failed = /failed|error/.test(node.provision_state || "");
  const last = node.last_error || (failed && history.find((one) => one.severity === "ERROR")?.event);
  const attached = [...portgroups, ...ports].filter((one) => one.internal_info?.tenant_vif_port_id);
  const told = [
    ["State", state],
    ["Waits for", due.map((one) => `${one.what} in ${duration(one.seconds)}`).join(", ")],
    ["Last error", last],
    ["Power", node.power_state],
    ["Maintenance", node.maintenance && (node.maintenance_reason || "yes")],
    ["Locked by", node.reservation],
    ["Driver", [node.driver, node.conductor_group].filter(Boolean).join(" · ")],
    ["Instance", node.instance_uuid],
    ["Traits", traits.join(", ")],
    ["VIFs", attached.map((one) => `${one.internal_info.tenant_vif_port_id} on ${one.address}`).join(", ")],
    ["Ports", ports.map((one) => one.address).join(", ")],
    ["Volume connectors", volume_connectors.map((one) => `${one.type} ${one.connector_id}`).join(", ")],
    ["Volume targets", volume_targets.map((one) => `${one.boot_index}: ${one.volume_id}`).join(", ")],
    ["UUID", node.uuid],
  ];
  return element("dl", { class: "facts" }, ...told.filter(([, value]) => value).flatMap(
    ([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function part(title, items) {
  return items.length ? element("details", { open: "" }, element("summary", {}, title),
    element("ul", {}, ...items)) : null;
}

function machineForm(machine, changeMachine) {
  const power = element("select", { name: "power_state" }, ...["power on", "power off"].map(
    (state) => element("option", machine.power_state === state ? { selected: "" } : {}, state)));
  const box = (name, text, checked) => element("label", {}, element(
    "input", { type: "checkbox", name, checked: checked ? "" : false }), ` ${text}`);
  const form = element("form", {},
    element("fieldset", {}, element("legend", {}, "Machine"),
      labelled("Power", power),
      box("reachable", "its controller answers", machine.reachable),
      box("power_stuck", "power actions have no effect", machine.power_stuck)),
    element("fieldset", {}, element("legend", {}, "Parts that fail"),
      ...PARTS.map((part) => box(part, part.replace("_", " "), machine.failing.includes(part)))),
    element("button", {}, "Change the machine"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    changeMachine({
      power_state: form.elements.power_state.value,
      reachable: form.elements.reachable.checked,
      power_stuck: form.elements.power_stuck.checked,
      failing: PARTS.filter((part) => form.elements[part].checked),
    });
  });
  return element("details", {}, element("summary", {}, "Machine"), form);
}

export function showRequest(archive) {
  const entry = archive.log.entries[0];
  if (!entry) {
    show("This request is no longer kept.");
    return;
  }
  const { request, response } = entry;
  const lines = (headers) => headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  const file = URL.createObjectURL(new Blob([JSON.stringify(archive)], { type: "application/json" }));
  show(
    `${request.method} ${request.url}`,
    element("p", {}, `${response.status} ${response.statusText}, ${entry.time.toFixed(1)} ms`),
    block("Request headers", lines(request.headers)),
    request.postData ? block("Request body", pretty(request.postData.text), true) : "",
    block("Response headers", lines(response.headers)),
    block("Response body", pretty(response.content.text || response.content.comment || ""), true),
    element("a", { href: file, download: "request.har", role: "button", class: "plain" }, "Save as HAR"),
  );
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const made of document.querySelectorAll("[data-close]")) {
  made.addEventListener("click", () => made.closest("dialog").close());
}
