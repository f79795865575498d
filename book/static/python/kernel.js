// Python in this page: loaded at the first run, in a Worker, from disk as from http. Makes `window.clearhead`:
//   ready()      a promise, kept when Python can run
//   run(code)    a promise of {text, html, error, seconds}; text: what was printed, the last value, the error
//                run(code, {cell, limit, spare}): its name, seconds, pass over what needs PyTorch
//   read(file, asked)  a promise of {answers, said}: what the library finds in a notebook (an ArrayBuffer)
//   stop()       ends what runs or loads; all variables are lost
//   state        "none", "loading", "ready" or "running"
//   events       tells "status" (detail: state, words, cell) and "shown" (detail: cell, text) as they come
(() => {
  "use strict";
  const here = new URL(".", document.currentScript.src).href;
  const LIMIT = 30, GRACE = 5;   // seconds: Python stops itself at a loop or a call; what hears nothing is ended
  const NEEDED = ["WebAssembly", "Worker", "DecompressionStream"];   // the last came to Safari with 16.4
  const GONE = "stopped: all variables are lost, so run the cells above again";
  const events = new EventTarget();
  let state = "none", parts = null, starting = null, worker = null, cancel = null;
  let current = null, line = Promise.resolve();

  function tell(next, words, more) {
    state = next;
    events.dispatchEvent(new CustomEvent("status", { detail: { state, words, cell: current?.cell, ...more } }));
  }

  // Scripts load from disk where fetch may not; each leaves a piece of base64 in `clearheadParts`.
  function script(name, digest) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = here + name + (digest ? "?" + digest : "");
      element.onload = () => resolve(element.remove());
      element.onerror = () => reject(new Error(`${name} is missing next to this page`));
      document.head.append(element);
    });
  }

  // Return the files by name, and WebAssembly compiled while the rest still loads. Files are kept as Blobs for the
  // next Worker: these lie outside the page's own memory.
  async function load() {
    const lacking = NEEDED.filter((name) => !self[name]);
    if (lacking.length) throw new Error(`this browser lacks ${lacking.join(", ")}. Use Chrome or Edge 112, Firefox 121, Safari 16.4, or a newer version.`);
    await script("runtime/list.js");
    const list = self.clearheadParts.list;
    const all = list.reduce((sum, { bytes }) => sum + bytes, 0), unpacked = {};
    let read = 0, compiled;
    // All are asked for at once, or a distant server would be waited for once a piece; they are taken in order.
    const asked = list.map(({ name, pieces, digest }) => Array.from({ length: pieces }, (_, piece) => script(`runtime/${name}.${piece}.js`, digest)));
    for (const each of asked.flat()) each.catch(() => {});   // the first that fails is told below
    for (const [place, { name, pieces, bytes }] of list.entries()) {
      const letters = [];
      for (let piece = 0; piece < pieces; piece++) {
        await asked[place][piece];
        letters.push(self.clearheadParts[`${name}.${piece}`]);
        delete self.clearheadParts[`${name}.${piece}`];
        read += bytes / pieces;
        tell("loading", `loading, ${Math.round(read / 1e6)} of ${Math.round(all / 1e6)} MB`, { read, all });
      }
      if (name.endsWith(".wasm")) compiled = unpack(letters).then((code) => code.arrayBuffer()).then((code) => WebAssembly.compile(code));
      else unpacked[name] = unpack(letters);
    }
    const files = {};
    for (const name in unpacked) files[name] = await unpacked[name];
    return { files, compiled: await compiled };
  }

  function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);   // `from` would take a second
    return bytes;
  }

  async function unpack(letters) {
    const packed = letters.map(bytesOf);
    const bytes = new Blob(packed).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(bytes).blob();
  }

  async function begin() {
    tell("loading", "loading Python");
    parts ??= load();
    const stopped = new Promise((resolve, reject) => { cancel = reject; });
    const { files: { "pyodide.js": small, "pyodide.asm.js": large, ...files }, compiled } = await Promise.race([parts, stopped]);
    tell("loading", "starting Python");
    const code = [large, "\n", small, `\n(${self.clearheadParts.worker})();`];
    const address = URL.createObjectURL(new Blob(code, { type: "text/javascript" }));
    const next = worker = new Worker(address);
    await Promise.race([stopped, new Promise((resolve, reject) => {
      next.onmessage = ({ data }) => data.kind === "ready" ? resolve() : reject(new Error(data.why));
      next.onerror = (event) => reject(new Error(event.message || "this browser does not allow a Worker here"));
      next.postMessage({ kind: "start", files, compiled });
    })]);
    URL.revokeObjectURL(address);
    next.onmessage = hear;
    next.onerror = (event) => end(`Python crashed (${event.message}).`);
    tell("ready", "ready");
  }

  function ready() {
    return starting ??= begin().catch((error) => {
      if (!worker) parts = null;   // a file was missing: try again the next time
      drop();
      tell("none", error.stopped ? GONE : `Python could not start: ${error.message}`);
      throw error;
    });
  }

  function drop() {
    worker?.terminate();
    worker = starting = cancel = null;
  }

  const run = (code, { cell = "cell", limit = LIMIT, spare = false } = {}) =>
    order({ kind: "run", code: String(code), cell, limit, spare });

  const read = (file, asked) => order({ kind: "read", file, asked: JSON.stringify(asked), cell: "notebook", limit: LIMIT });

  function order(message) {
    const turn = line.then(ready).then(() => new Promise((resolve) => {
      current = { cell: message.cell, resolve, begun: performance.now(), limit: message.limit, seen: null };
      current.clock = setInterval(tick, 250);
      tell("running", "running");
      worker.postMessage(message);
    }));
    line = turn.catch(() => {});
    return turn;
  }

  const seconds = () => (performance.now() - current.begun) / 1000;

  function tick() {
    if (seconds() > current.limit + GRACE) end(`Stopped after ${Math.round(seconds())} seconds.`);
    else if (seconds() >= 1) tell("running", `running, ${Math.floor(seconds())} s`);
  }

  function hear({ data }) {
    if (!current) return;
    if (data.kind === "line") current.seen = data.line;
    if (data.kind === "shown") events.dispatchEvent(new CustomEvent("shown", { detail: { cell: current.cell, text: data.text } }));
    if (data.kind === "done") finish(data.result, "ready", said(data.result));
    if (data.kind === "broken") end(/exit/i.test(data.why) ? "Python ended, because the cell asked for it." : "Python crashed: the recursion was too deep, or memory ran out.");
  }

  function said({ error, line, seconds }) {
    if (error) return line ? `error in line ${line}` : "error";
    return `done in ${seconds.toFixed(1)} s`;
  }

  function finish(result, next, words) {
    const { resolve, clock } = current;
    clearInterval(clock);
    tell(next, words, { result });
    current = null;
    resolve(result);
  }

  // End the Worker: nothing in it can be asked to stop.
  function end(why) {
    if (!current) return cancel?.(Object.assign(new Error("stopped"), { stopped: true }));
    const place = current.seen ? ` The last line that began to run was line ${current.seen}.` : "";
    const error = `${why}${place} All variables are lost: run the cells above again.`;
    const result = { text: error + "\n", html: null, error, line: current.seen, seconds: seconds(), stopped: true };
    drop();
    finish(result, "none", GONE);
  }

  const stop = () => end("Stopped.");

  window.clearhead = { ...window.clearhead, ready, run, read, stop, events, get state() { return state; } };
})();
