// Python in this page: loaded at the first run, in a Worker, from disk as from http. Makes `window.clearhead`:
//   ready()      a promise, kept when Python can run
//   run(code)    a promise of {text, html, error, seconds}; text: what was printed, the last value, the error
//                run(code, {cell, limit, skipUnavailable}): its name, seconds, whether to skip what needs PyTorch
//   read(file, request)  a promise of {answers, messages}: what the library finds in a notebook (an ArrayBuffer)
//   stop()       ends what runs or loads; all variables are lost
//   state        "none", "loading", "ready" or "running"
//   events       dispatches "status" (detail: state, words, cell) and "output" (detail: cell, text) as they come
(() => {
  "use strict";
  const here = new URL(".", document.currentScript.src).href;
  const LIMIT = 30, GRACE = 5;   // seconds: Python stops itself at a loop or a call; a Worker that does not respond is terminated
  const NEEDED = ["WebAssembly", "Worker", "DecompressionStream"];   // the last came to Safari with 16.4
  const VARIABLES_LOST = "stopped: all variables are lost, so run the cells above again";
  const events = new EventTarget();
  let state = "none", parts = null, starting = null, worker = null, cancel = null;
  let current = null, queue = Promise.resolve();

  function setStatus(next, words, more) {
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
    const missing = NEEDED.filter((name) => !self[name]);
    if (missing.length) throw new Error(`this browser lacks ${missing.join(", ")}. Use Chrome or Edge 112, Firefox 121, Safari 16.4, or a newer version.`);
    await script("runtime/list.js");
    const list = self.clearheadParts.list;
    const total = list.reduce((sum, { bytes }) => sum + bytes, 0), unpacked = {};
    let loaded = 0, compiled;
    // All are asked for at once, or a distant server would be waited for once a piece; they are taken in order.
    const downloads = list.map(({ name, pieces, digest }) => Array.from({ length: pieces }, (_, piece) => script(`runtime/${name}.${piece}.js`, digest)));
    for (const each of downloads.flat()) each.catch(() => {});   // the first failure is reported below
    for (const [index, { name, pieces, bytes }] of list.entries()) {
      const chunks = [];
      for (let piece = 0; piece < pieces; piece++) {
        await downloads[index][piece];
        chunks.push(self.clearheadParts[`${name}.${piece}`]);
        delete self.clearheadParts[`${name}.${piece}`];
        loaded += bytes / pieces;
        setStatus("loading", `loading, ${Math.round(loaded / 1e6)} of ${Math.round(total / 1e6)} MB`, { loaded, total });
      }
      if (name.endsWith(".wasm")) compiled = unpack(chunks).then((code) => code.arrayBuffer()).then((code) => WebAssembly.compile(code));
      else unpacked[name] = unpack(chunks);
    }
    const files = {};
    for (const name in unpacked) files[name] = await unpacked[name];
    return { files, compiled: await compiled };
  }

  function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);   // `from` would take a second
    return bytes;
  }

  async function unpack(chunks) {
    const compressed = chunks.map(bytesOf);
    const bytes = new Blob(compressed).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(bytes).blob();
  }

  async function startWorker() {
    setStatus("loading", "loading Python");
    parts ??= load();
    const stopped = new Promise((resolve, reject) => { cancel = reject; });
    const { files: { "pyodide.js": loader, "pyodide.asm.js": runtime, ...files }, compiled } = await Promise.race([parts, stopped]);
    setStatus("loading", "starting Python");
    const code = [runtime, "\n", loader, `\n(${self.clearheadParts.worker})();`];
    const address = URL.createObjectURL(new Blob(code, { type: "text/javascript" }));
    const next = worker = new Worker(address);
    await Promise.race([stopped, new Promise((resolve, reject) => {
      next.onmessage = ({ data }) => data.kind === "ready" ? resolve() : reject(new Error(data.reason));
      next.onerror = (event) => reject(new Error(event.message || "this browser does not allow a Worker here"));
      next.postMessage({ kind: "start", files, compiled });
    })]);
    URL.revokeObjectURL(address);
    next.onmessage = handleMessage;
    next.onerror = (event) => end(`Python crashed (${event.message}).`);
    setStatus("ready", "ready");
  }

  function ready() {
    return starting ??= startWorker().catch((error) => {
      if (!worker) parts = null;   // a file was missing: try again the next time
      discardWorker();
      setStatus("none", error.stopped ? VARIABLES_LOST : `Python could not start: ${error.message}`);
      throw error;
    });
  }

  function discardWorker() {
    worker?.terminate();
    worker = starting = cancel = null;
  }

  const run = (code, { cell = "cell", limit = LIMIT, skipUnavailable = false } = {}) =>
    enqueue({ kind: "run", code: String(code), cell, limit, skipUnavailable });

  const read = (file, request) => enqueue({ kind: "read", file, request: JSON.stringify(request), cell: "notebook", limit: LIMIT });

  function enqueue(message) {
    const job = queue.then(ready).then(() => new Promise((resolve) => {
      current = { cell: message.cell, resolve, started: performance.now(), limit: message.limit, lastLine: null };
      current.timer = setInterval(tick, 250);
      setStatus("running", "running");
      worker.postMessage(message);
    }));
    queue = job.catch(() => {});
    return job;
  }

  const seconds = () => (performance.now() - current.started) / 1000;

  function tick() {
    if (seconds() > current.limit + GRACE) end(`Stopped after ${Math.round(seconds())} seconds.`);
    else if (seconds() >= 1) setStatus("running", `running, ${Math.floor(seconds())} s`);
  }

  function handleMessage({ data }) {
    if (!current) return;
    if (data.kind === "line") current.lastLine = data.line;
    if (data.kind === "output") events.dispatchEvent(new CustomEvent("output", { detail: { cell: current.cell, text: data.text } }));
    if (data.kind === "done") finish(data.result, "ready", describe(data.result));
    if (data.kind === "crashed") end(/exit/i.test(data.reason) ? "Python ended, because the cell asked for it." : "Python crashed: the recursion was too deep, or memory ran out.");
  }

  function describe({ error, line, seconds }) {
    if (error) return line ? `error in line ${line}` : "error";
    return `done in ${seconds.toFixed(1)} s`;
  }

  function finish(result, next, words) {
    const { resolve, timer } = current;
    clearInterval(timer);
    setStatus(next, words, { result });
    current = null;
    resolve(result);
  }

  // End the Worker: nothing in it can be asked to stop.
  function end(reason) {
    if (!current) return cancel?.(Object.assign(new Error("stopped"), { stopped: true }));
    const location = current.lastLine ? ` The last line that began to run was line ${current.lastLine}.` : "";
    const error = `${reason}${location} All variables are lost: run the cells above again.`;
    const result = { text: error + "\n", html: null, error, line: current.lastLine, seconds: seconds(), stopped: true };
    discardWorker();
    finish(result, "none", VARIABLES_LOST);
  }

  const stop = () => end("Stopped.");

  window.clearhead = { ...window.clearhead, ready, run, read, stop, events, get state() { return state; } };
})();
