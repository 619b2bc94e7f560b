// The wall: a cell for each node, in racks of those that have the same value of a field.
//
// found has: by (the field), racks (name and nodes: [uuid, name, state, error]).

import { colourOf, explain, make, paints, scroller } from "./timeline.js";

const CELL = 14, GAP = 3, COLUMNS = 16, TITLE = 20, MARGIN = 16;

export function showWall(root, open) {
  let racks = [], laid = 0;

  // Racks stand beside each other as long as there is room; a row is as high as its highest rack.
  function lay(width) {
    const rackWidth = (columns) => Math.max(columns * (CELL + GAP), 110);
    let x = MARGIN / 2, y = 4, high = 0;
    for (const rack of racks) {
      rack.columns = Math.min(COLUMNS, Math.max(rack.nodes.length, 1),
        Math.floor((width - MARGIN) / (CELL + GAP)));
      const needs = rackWidth(rack.columns);
      const height = TITLE + Math.ceil(rack.nodes.length / rack.columns) * (CELL + GAP) + MARGIN;
      if (x + needs > width && x > MARGIN) {
        x = MARGIN / 2;
        y += high;
        high = 0;
      }
      Object.assign(rack, { x, y, height, width: needs });
      x += needs + MARGIN;
      high = Math.max(high, height);
    }
    laid = y + high;
  }

  const shape = {
    label: "Wall of nodes; the table has the same as text",
    height(width) {
      lay(width);
      return laid;
    },
    draw(context, width, height, top) {
      const paint = paints(root);
      for (const rack of racks) {
        const y = rack.y - top;
        if (y > height || y + rack.height < 0) continue;
        context.fillStyle = paint.ink;
        context.fillText(`${rack.name} (${rack.nodes.length})`, rack.x, y + TITLE / 2, rack.width);
        const first = Math.max(0, Math.floor((-y - TITLE) / (CELL + GAP))) * rack.columns;
        const rows = Math.ceil(height / (CELL + GAP)) + 2;
        rack.nodes.slice(first, first + rows * rack.columns).forEach((node, place) => {
          const [column, row] = [(first + place) % rack.columns, Math.floor((first + place) / rack.columns)];
          context.fillStyle = paint[colourOf(node[2])];
          context.fillRect(rack.x + column * (CELL + GAP), y + TITLE + row * (CELL + GAP), CELL, CELL);
        });
      }
    },
    at(x, y) {
      const rack = racks.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
      if (!rack) return null;
      const column = Math.floor((x - rack.x) / (CELL + GAP)), row = Math.floor((y - rack.y - TITLE) / (CELL + GAP));
      const node = column < rack.columns && row >= 0 && rack.nodes[row * rack.columns + column];
      if (!node) return null;
      const lines = [node[1] || node[0], node[1] ? node[0] : "", node[2], node[3] || ""];
      return { lines: lines.filter(Boolean), open: () => open(node[0]) };
    },
  };
  const legend = make("span", { class: "legend" });
  root.append(legend);
  const shown = scroller(root, shape);
  return {
    update(found) {
      racks = found.racks;
      explain(legend, racks.flatMap((rack) => rack.nodes.map((node) => node[2])));
      shown.redraw();
    },
  };
}
