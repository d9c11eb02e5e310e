// The boards of a replay, fetched many plies at a time; each comes as the numbers of parts that are stored once.

export class Boards {
  /** `address` is that of the boards with its query, `chunk` how many plies come together, `plies` the last ply. */
  constructor(address, chunk, plies) {
    this.address = address;
    this.chunk = chunk;
    this.plies = plies;
    this.chunks = new Map();
  }

  /** The board at a ply as SVG text if it is here, else null. */
  at(layout, ply) {
    const found = this.chunks.get(this.#name(layout, ply));
    if (!found || found instanceof Promise) return null;
    return found.plies[ply - found.from].map((part) => found.parts[part]).join("");
  }

  /** Resolves when the board at a ply is here; raises an Error when it does not come. */
  async load(layout, ply) {
    if (ply < 0 || ply > this.plies) return;
    const name = this.#name(layout, ply);
    if (!this.chunks.has(name)) {
      this.chunks.set(name, this.#fetch(layout, Math.floor(ply / this.chunk)));
    }
    try {
      this.chunks.set(name, await this.chunks.get(name));
    } catch (error) {
      this.chunks.delete(name); // the next wish tries again
      throw error;
    }
  }

  #name(layout, ply) {
    return `${layout} ${Math.floor(ply / this.chunk)}`;
  }

  async #fetch(layout, number) {
    const address = `${this.address}&layout=${layout}&chunk=${number}`;
    let answer = await fetch(address, { credentials: "same-origin" });
    // The server draws for one at a time, and says so when too many ask.
    for (let pause = 400; answer.status === 503 && pause < 4000; pause *= 2) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      answer = await fetch(address, { credentials: "same-origin" });
    }
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }
}
