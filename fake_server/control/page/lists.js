// What the page shows of the server: states, nodes, requests, faults, conductors, snapshots.

import { byId, duration, element, keep, row } from "./dom.js";
import { colourOf } from "./timeline.js";

export const colour = (state) => `state ${colourOf(state)}`;

export function showCounts(counts, chosen, choose) {
  keep(byId("counts"), Object.entries(counts), ([state]) => state, ([state, count]) => element(
    "button", {
      class: colour(state), "aria-pressed": String(state === chosen), click: () => choose(state),
    }, `${count} ${state}`,
  ));
}

export function showNodes(found, open) {
  const shown = found.nodes.length < found.number ? `the first ${found.nodes.length} of ` : "";
  byId("number").textContent = `(${shown}${found.number})`;
  keep(byId("nodes"), found.nodes, (node) => node.uuid, (node) => nodeRow(node, open));
  hideEmptyColumns(byId("nodes"));
  const all = Object.values(found.counts).reduce((sum, count) => sum + count, 0);
  byId("no-nodes").hidden = all > 0;
  byId("no-match").hidden = all === 0 || found.number > 0;
}

// A column that is empty in all rows is hidden, with its heading.
function hideEmptyColumns(body) {
  const rows = [...body.rows];
  [...body.closest("table").tHead.rows[0].cells].forEach((head, place) => {
    const empty = rows.length > 0 && rows.every((one) => !one.cells[place].textContent);
    for (const one of [head, ...rows.map((made) => made.cells[place])]) {
      if (one.hidden !== empty) one.hidden = empty;
    }
  });
}

function nodeRow(node, open) {
  const name = element("td", {}, element(
    "button", { class: "link", click: () => open(node.uuid) }, node.name || node.uuid,
  ));
  if (node.name) name.append(element("small", { class: "uuid", title: node.uuid }, node.uuid.slice(0, 8)));
  name.append(element("small", {}, [node.driver, node.conductor_group].filter(Boolean).join(" · ")));
  const target = node.target_provision_state ? ` → ${node.target_provision_state}` : "";
  const state = element("td", {}, element(
    "span", { class: colour(node.provision_state) }, `${node.provision_state || ""}${target}`,
  ));
  if (node.step) state.append(element("small", {}, node.step));
  if (node.reservation) state.append(element("small", {}, `locked by ${node.reservation}`));
  if (node.maintenance) state.append(element("small", {}, "maintenance"));
  const timers = node.due.map((one) => element(
    "div", {}, `${one.what} `, element("span", { class: "short" }, duration(one.seconds))));
  const power = node.target_power_state ? ` → ${node.target_power_state}` : "";
  const holds = [...node.traits, ...node.vifs, ...node.connectors, ...node.targets];
  return row(
    byId("nodes"), name, state, element("td", { class: "timer" }, ...timers),
    element("td", { class: "short" }, `${node.power_state || ""}${power}`),
    element("td", { class: "names" }, ...holds.map((item) => element("div", {}, item))),
    element("td", { class: "long" }, node.last_error || ""),
  );
}

// The newest come first. Those that come while the list is pointed at or used wait, so that nothing
// moves under the pointer.
let shownRequests = [];

export function showRequests(requests, open) {
  const list = byId("requests");
  byId("no-requests").hidden = requests.length > 0;
  const used = list.matches(":hover") || list.contains(document.activeElement);
  const known = new Set(shownRequests.map((entry) => entry.id));
  const fresh = requests.filter((entry) => !known.has(entry.id)).length;
  const newer = byId("newer");
  const cleared = requests.length === 0;
  newer.hidden = !(used && fresh > 0 && shownRequests.length > 0 && !cleared);
  newer.textContent = `${fresh} more`;
  newer.onclick = () => {
    shownRequests = requests;
    draw(open);
    newer.hidden = true;
  };
  if (!newer.hidden) return;
  shownRequests = requests;
  draw(open);
}

export function draw(open) {
  const text = byId("request-filter").value.toLowerCase();
  const wanted = shownRequests.filter(
    (entry) => `${entry.method} ${entry.path} ${entry.status}`.toLowerCase().includes(text));
  keep(byId("requests"), wanted.reverse(), (entry) => entry.id, (entry) => requestRow(entry, open));
}

function requestRow(entry, open) {
  const query = entry.query ? `?${entry.query}` : "";
  const kind = entry.status >= 500 || !entry.status ? "bad failed" : entry.status >= 400 ? "busy" : "";
  return row(
    byId("requests"), entry.at.slice(11, 23),
    element("td", {}, element(
      "button", { class: "link", click: () => open(entry.id) }, `${entry.method} ${entry.path}${query}`,
    )),
    entry.version || "",
    element("td", {}, element("span", { class: kind }, entry.status ? String(entry.status) : "dropped")),
    element("td", { class: "short" }, `${(entry.seconds * 1000).toFixed(1)} ms`),
  );
}

export function showFaults(faults, remove) {
  byId("no-faults").hidden = faults.length > 0;
  keep(byId("faults"), faults, (fault) => fault.id, (fault) => {
    const most = fault.times ? `, at most ${fault.times}` : "";
    return row(
      byId("faults"), String(fault.id), JSON.stringify(fault.match), JSON.stringify(fault.do),
      `${fault.done} of ${fault.seen}${most}`,
      element("td", {}, element("button", { class: "plain", click: () => remove(fault.id) }, "Remove")),
    );
  });
}

export function showConductors(conductors, set) {
  keep(byId("conductors"), conductors, (one) => one.hostname, (one) => row(
    byId("conductors"), one.hostname, one.conductor_group || "", (one.drivers || []).join(", "),
    element("td", {}, element("span", { class: one.alive ? "state good" : "state bad" },
      one.alive ? "up" : "down"), " ", element(
      "button", {
        class: "plain", "data-alive": String(!one.alive),
        click: (event) => set(one.hostname, event.currentTarget.dataset.alive === "true"),
      },
      one.alive ? "Take down" : "Start"))));
}

export function showSnapshots(idents, restore) {
  keep(byId("snapshots"), idents, (ident) => ident, (ident) => element(
    "button", { class: "plain", click: () => restore(ident) }, `Back to ${ident}`));
}
