// The wall: a cell for each node, in racks of those that have the same value of a field.
//
// found has: by (the field), racks (name and nodes: [uuid, name, state, error]).

import { colourOf, explain, make, paints, scroller } from "./timeline.js";

const COLUMNS = 16, TITLE = 20, MARGIN = 16;
// The sides of cells: the larger ones as long as all cells are a few screens.
const LARGE = { cell: 14, pitch: 17 }, SMALL = { cell: 7, pitch: 8 }, MANY = 2000;

export function showWall(root, open) {
  let racks = [], laid = 0, size = LARGE;

  // Racks stand beside each other as long as there is room; a row is as high as its highest rack.
  function lay(width) {
    const rackWidth = (columns) => Math.max(columns * size.pitch, 110);
    let x = MARGIN / 2, y = 4, high = 0;
    for (const rack of racks) {
      const wanted = Math.max(COLUMNS, Math.ceil(3 * Math.sqrt(rack.nodes.length)));
      const room = Math.floor((width - MARGIN) / size.pitch);
      rack.columns = Math.min(wanted, Math.max(rack.nodes.length, 1), room);
      const needs = rackWidth(rack.columns);
      const height = TITLE + Math.ceil(rack.nodes.length / rack.columns) * size.pitch + MARGIN;
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
        const first = Math.max(0, Math.floor((-y - TITLE) / size.pitch)) * rack.columns;
        const rows = Math.ceil(height / size.pitch) + 2;
        rack.nodes.slice(first, first + rows * rack.columns).forEach((node, place) => {
          const [column, row] = [(first + place) % rack.columns, Math.floor((first + place) / rack.columns)];
          context.fillStyle = paint[colourOf(node[2])];
          context.fillRect(rack.x + column * size.pitch, y + TITLE + row * size.pitch, size.cell, size.cell);
        });
      }
    },
    at(x, y) {
      const rack = racks.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
      if (!rack) return null;
      const column = Math.floor((x - rack.x) / size.pitch), row = Math.floor((y - rack.y - TITLE) / size.pitch);
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
      size = racks.reduce((sum, rack) => sum + rack.nodes.length, 0) > MANY ? SMALL : LARGE;
      explain(legend, racks.flatMap((rack) => rack.nodes.map((node) => node[2])));
      shown.redraw();
    },
  };
}
