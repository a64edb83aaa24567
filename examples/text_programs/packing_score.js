// Reads the output of packing.js and prints the number of boxes: fewer are better. An invalid packing has no score.

let state = Number(process.env.MENDEL_SEED) % 2147483647 + 1;
const items = Array.from({ length: 200 }, () => 5 + ((state = (state * 48271) % 2147483647) % 66));

const boxes = require("fs").readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
const filled = new Map();
if (boxes.length !== items.length || !boxes.every(Number.isInteger)) throw new Error("not one box for every item");
items.forEach((size, place) => filled.set(boxes[place], (filled.get(boxes[place]) || 0) + size));
if ([...filled.values()].some((size) => size > 100)) throw new Error("a box is too full");
console.log(filled.size);
