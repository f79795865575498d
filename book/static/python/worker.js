// What runs in the Worker: Python itself. kernel.js makes the Worker from the text of this function and of Pyodide.
(self.clearheadParts ??= {}).worker = function worker() {
  "use strict";
  const VIRTUAL_URL = "https://files.invalid/";   // Pyodide asks for its files by address; they come from memory
  const SITE = "/lib/python3.12/site-packages", BOOK = "/book";
  const PAGES = 16384;                        // of 64 kB: Python may take 1 GB, then it says MemoryError
  let python, inPage;                           // Pyodide, in_page.py
  const post = (kind, more) => self.postMessage({ kind, ...more });

  function serveFromMemory(files, compiled) {
    self.fetch = async (address) => {
      const name = String(address.url ?? address).split("/").pop();
      return files[name] ? new Response(files[name]) : new Response("", { status: 404 });
    };
    WebAssembly.instantiateStreaming = async (source, imports) =>
      ({ module: compiled, instance: await WebAssembly.instantiate(compiled, imports) });
    const Memory = WebAssembly.Memory;
    WebAssembly.Memory = function (size) { return new Memory({ ...size, maximum: Math.min(size.maximum, PAGES) }); };
  }

  async function start({ files, compiled }) {
    serveFromMemory(files, compiled);
    python = await self.loadPyodide({ indexURL: VIRTUAL_URL, lockFileURL: VIRTUAL_URL + "pyodide-lock.json" });
    // NumPy asks for this where it could reuse an array of 256 kB or more; without it Python dies.
    python._module.mergeLibSymbols({ backtrace: () => 0 }, "backtrace");
    const bytes = (name) => files[name].arrayBuffer();
    python.unpackArchive(await bytes("numpy.zip"), "zip", { extractDir: SITE });
    python.unpackArchive(await bytes("book.zip"), "zip", { extractDir: BOOK });
    python.unpackArchive(await bytes("in_page.zip"), "zip", { extractDir: SITE });
    python.runPython(`import sys; sys.path.insert(0, "${BOOK}")`);
    inPage = python.pyimport("in_page");
    python.pyimport("clearhead.checks");
    Object.assign(inPage.clock, { alarm: setAlarm, report_line: (line) => post("line", { line }) });
    python.setInterruptBuffer(interruptBuffer);
    post("ready");
  }

  // Python looks here every few loops and calls, and takes the number that it finds for a signal.
  const now = () => performance.now() / 1000;
  const SIGINT = 2, SIGALRM = 14, RETRY = 0.5;
  const interruptBuffer = {
    end: Infinity, alarm: Infinity, interval: 0,
    get 0() {
      if (now() > this.alarm) return this.alarm = this.interval ? now() + this.interval : Infinity, SIGALRM;
      if (now() > this.end) return this.end = now() + RETRY, SIGINT;
      return 0;
    },
    set 0(signal) {},
  };

  function setAlarm(seconds, interval) {
    Object.assign(interruptBuffer, { alarm: seconds ? now() + seconds : Infinity, interval });
  }

  function run({ code, cell, limit, skipUnavailable }) {
    Object.assign(interruptBuffer, { end: now() + limit, alarm: Infinity });
    const result = inPage.run(code, cell, skipUnavailable, (text) => post("output", { text }));
    interruptBuffer.end = Infinity;
    post("done", { result: { ...JSON.parse(result), records: JSON.parse(inPage.records()) } });
  }

  // Read a notebook: it is data for the library's reader, and nothing of it runs.
  function read({ file, request }) {
    python.FS.writeFile("/tmp/loaded.ipynb", new Uint8Array(file));
    post("done", { result: { text: "", error: null, seconds: 0, ...JSON.parse(inPage.load(request)) } });
  }

  self.onmessage = async ({ data }) => {
    try {
      if (data.kind === "start") await start(data);
      else if (data.kind === "read") read(data);
      else run(data);
    } catch (error) {
      post("crashed", { reason: String(error?.message ?? error).slice(0, 500) });
    }
  };
};
