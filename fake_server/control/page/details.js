// The dialogs: all of a node with its machine, and all of a request.

import { byId, element, labelled } from "./dom.js";

const PARTS = ["power", "boot_device", "boot_mode", "bios", "firmware", "indicators", "inspect",
  "media", "subscriptions"];

function show(title, ...parts) {
  byId("details-title").textContent = title;
  byId("details-body").replaceChildren(...parts);
  if (!byId("details").open) byId("details").showModal();
}

function block(title, value, open = false) {
  return element("details", open ? { open: "" } : {}, element("summary", {}, title),
    element("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)));
}

export function showNode(found, changeMachine) {
  const { node, machine, ...children } = found;
  const blocks = Object.entries(children).filter(([, rows]) => rows.length).map(
    ([name, rows]) => block(`${name} (${rows.length})`, rows));
  const parts = [block("Node", node, true), ...blocks];
  if (machine) parts.unshift(machineForm(node, machine, changeMachine));
  show(node.name || node.uuid, ...parts);
}

function machineForm(node, machine, changeMachine) {
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
    changeMachine(node.uuid, {
      power_state: form.elements.power_state.value,
      reachable: form.elements.reachable.checked,
      power_stuck: form.elements.power_stuck.checked,
      failing: PARTS.filter((part) => form.elements[part].checked),
    });
  });
  return element("div", {}, form, block("All of the machine", machine));
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
