// What a person began to write, kept while the part that shows it is away. The oldest are forgotten.
const MOST = 80;

export class Drafts extends Map {
  set(key, value) {
    this.delete(key);
    super.set(key, value);
    if (this.size > MOST) this.delete(this.keys().next().value);
    return this;
  }
}
