// Packs 200 items into boxes of size 100; MENDEL_SEED determines their sizes. Prints the box of every item.
//
//     cd examples/text_programs
//     mendel evolve packing.js --run "node packing.js" --score "node packing_score.js" --minimize --seconds 60

let state = Number(process.env.MENDEL_SEED) % 2147483647 + 1;
const items = Array.from({ length: 200 }, () => 5 + ((state = (state * 48271) % 2147483647) % 66));

// mendel: evolve
const lookBack = 1;

function pack(sizes) {
  const room = [100];
  return sizes.map((size) => {
    for (let box = Math.max(0, room.length - lookBack); box < room.length; box++) {
      if (room[box] >= size) {
        room[box] -= size;
        return box;
      }
    }
    room.push(100 - size);
    return room.length - 1;
  });
}
// mendel: end

console.log(pack(items).join(" "));
