// Asks the server what there is, once a second, and sends it what the page's controls say.

import { byId, element, keep, labelled } from "./dom.js";
import { showNode, showRequest } from "./details.js";
import * as lists from "./lists.js";
import { startViews } from "./views.js";

const PERIOD = 1000;
let token = sessionStorage.getItem("token") || "";
let generation = 0;
let chosen = "";

async function ask(method, path, body) {
  const text = await read(method, path, body);
  return text ? JSON.parse(text) : null;
}

async function read(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers["X-Fake-Token"] = token;
  const answer = await fetch("/_fake/" + path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    const { error } = JSON.parse(text);
    byId("guard").hidden = !(answer.status === 403 && error.includes("token"));
    throw new Error(error);
  }
  byId("guard").hidden = true;
  return text;
}

function show(found) {
  const { clock } = found;
  byId("now").textContent = new Date(clock.now * 1000).toISOString().slice(0, 19).replace("T", " ");
  byId("pace").textContent = clock.mode === "scaled" ? `${clock.factor} times as fast` : clock.mode;
  lists.showCounts(found.counts, chosen, (state) => {
    chosen = chosen === state ? "" : state;
    look();
  });
  lists.showNodes(found, openNode);
  lists.showRequests(found.requests, openRequest);
  lists.showFaults(found.faults, (id) => change(() => ask("DELETE", `faults/${id}`)));
  lists.showConductors(found.conductors, (host, alive) => change(
    () => ask("PATCH", `conductors/${encodeURIComponent(host)}`, { alive })));
  lists.showSnapshots(found.snapshots, (id) => change(() => ask("POST", `snapshots/${id}/restore`)));
}

function openNode(uuid) {
  return change(async () => {
    const found = await ask("GET", `nodes/${uuid}`);
    const { requests } = await ask("GET", `requests?${new URLSearchParams({ node: uuid, limit: 20 })}`);
    const { faults } = await ask("GET", "faults");
    const names = [uuid, found.node.name];
    const own = faults.filter(({ match }) => names.includes(match.node));
    showNode({ ...found, requests, faults: own }, openRequest, async (machine) => {
      await change(() => ask("PATCH", `machines/${uuid}`, machine));
      await openNode(uuid);
    });
  });
}

async function offerChoices() {
  const found = await ask("GET", "choices");
  for (const [id, values] of [["paths", found.paths], ["node-names", found.nodes], ["steps", found.steps]]) {
    keep(byId(id), values, (value) => value, (value) => element("option", { value }));
  }
}

function openRequest(id) {
  return change(async () => showRequest(await ask("GET", `requests?id=${id}&format=har`)));
}

function tell(trouble) {
  byId("trouble").textContent = trouble;
  byId("trouble").hidden = !trouble;
}

async function look() {
  const mine = ++generation;
  try {
    const query = new URLSearchParams({ text: byId("filter").value, state: chosen });
    const found = await ask("GET", `overview?${query}`);
    if (mine === generation) {
      show(found);
      if (!byId("trouble").dataset.kept) tell("");
    }
  } catch (trouble) {
    tell(trouble.message);
  }
}

async function change(act) {
  try {
    await act();
    delete byId("trouble").dataset.kept;
  } catch (trouble) {
    tell(trouble.message);
    byId("trouble").dataset.kept = "yes";
  }
  await look();
}

function onSubmit(id, act) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    change(() => act(byId(id)));
  });
}

async function save(name, path) {
  offer(name, JSON.stringify(await ask("GET", path), null, 2), "application/json");
}

function offer(name, content, type) {
  element("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name }).click();
}

async function showDelays() {
  const found = await ask("GET", "delays");
  const fields = [["default", found.default], ...found.names.map((name) => [name, found.transitions[name]])];
  keep(byId("transitions"), fields, ([name]) => name, ([name, seconds]) => labelled(
    name === "default" ? "each, in seconds" : name, element(
      "input", { name, type: "number", min: 0, step: "any", value: seconds ?? "" })));
}

for (const made of document.querySelectorAll("[data-mode]")) {
  made.addEventListener("click", () => change(() => {
    const body = { mode: made.dataset.mode };
    if (body.mode === "scaled") body.factor = Number(byId("factor").value);
    return ask("PUT", "clock", body);
  }));
}
for (const made of document.querySelectorAll("[data-advance]")) {
  made.addEventListener("click", () => change(
    () => ask("POST", "clock/advance", { seconds: Number(made.dataset.advance) })));
}
onSubmit("fault", async (form) => {
  const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  const { method, path, node, step, times, status, message, delay, drop, locked } = given;
  const does = step
    ? { last_error: message || `The step ${step} failed.` }
    : { status: status && Number(status), message, delay: delay && Number(delay), drop,
      locked: locked && true };
  const added = await ask("POST", "faults", { match: { method, path, node, step }, do: does,
    times: times && Number(times) });
  form.reset();
  if (added.warnings.length) throw new Error(`The fault is added, but: ${added.warnings.join(" ")}`);
});
onSubmit("delays", async (form) => {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  const { default: each, ...transitions } = Object.fromEntries(
    given.map(([name, value]) => [name, Number(value)]));
  const { nodes } = await ask("GET", "delays");
  await ask("PUT", "delays", { default: each, transitions, nodes });
});
byId("delays").addEventListener("reset", (event) => {
  event.preventDefault();
  change(async () => {
    await ask("DELETE", "delays");
    byId("transitions").replaceChildren();
    await showDelays();
  });
});
onSubmit("seed", (form) => ask("POST", "seed", JSON.parse(form.elements.seed.value)));
onSubmit("guard", async () => {
  token = byId("token").value;
  sessionStorage.setItem("token", token);
  await showDelays();
});
byId("export").addEventListener("click", () => change(() => save("lab.json", "seed")));
byId("har").addEventListener("click", () => change(() => save("requests.har", "requests?format=har")));
byId("report").addEventListener("click", () => change(
  async () => offer("report.html", await read("GET", "report"), "text/html")));
byId("take").addEventListener("click", () => change(() => ask("POST", "snapshots")));
byId("reset").addEventListener("click", () => byId("sure").showModal());
byId("reset-now").addEventListener("click", () => {
  byId("sure").close();
  change(() => ask("POST", "reset"));
});
byId("filter").addEventListener("input", look);
byId("request-filter").addEventListener("input", () => lists.draw(openRequest));

byId("adding").addEventListener("toggle", () => {
  if (byId("adding").open) change(offerChoices);
});
for (const command of document.querySelectorAll("code.client")) {
  command.prepend(`OS_AUTH_TYPE=none OS_ENDPOINT=${location.origin} baremetal `);
}

const theme = localStorage.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;
byId("theme").addEventListener("click", () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const next = dark ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
});

async function keepLooking() {
  if (!document.hidden) await look();
  setTimeout(keepLooking, PERIOD);
}
showDelays().catch((trouble) => tell(trouble.message));
startViews({ ask, tell, openNode, openRequest });
keepLooking();
