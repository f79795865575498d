// What runs in the Worker: Python itself. kernel.js makes the Worker from the text of this function and of Pyodide.
(self.clearheadParts ??= {}).worker = function worker() {
  "use strict";
  const NOWHERE = "https://files.invalid/";   // Pyodide asks for its files by address; they come from memory
  const SITE = "/lib/python3.12/site-packages", BOOK = "/book";
  const PAGES = 16384;                        // of 64 kB: Python may take 1 GB, then it says MemoryError
  let python, page;                           // Pyodide, in_page.py
  const say = (kind, more) => self.postMessage({ kind, ...more });

  function answerFrom(files, compiled) {
    self.fetch = async (address) => {
      const name = String(address.url ?? address).split("/").pop();
      return files[name] ? new Response(files[name]) : new Response("", { status: 404 });
    };
    WebAssembly.instantiateStreaming = async (asked, imports) =>
      ({ module: compiled, instance: await WebAssembly.instantiate(compiled, imports) });
    const Memory = WebAssembly.Memory;
    WebAssembly.Memory = function (size) { return new Memory({ ...size, maximum: Math.min(size.maximum, PAGES) }); };
  }

  async function start({ files, compiled }) {
    answerFrom(files, compiled);
    python = await self.loadPyodide({ indexURL: NOWHERE, lockFileURL: NOWHERE + "pyodide-lock.json" });
    // NumPy asks for this where it could reuse an array of 256 kB or more; without it Python dies.
    python._module.mergeLibSymbols({ backtrace: () => 0 }, "backtrace");
    const bytes = (name) => files[name].arrayBuffer();
    python.unpackArchive(await bytes("numpy.zip"), "zip", { extractDir: SITE });
    python.unpackArchive(await bytes("book.zip"), "zip", { extractDir: BOOK });
    python.unpackArchive(await bytes("in_page.zip"), "zip", { extractDir: SITE });
    python.runPython(`import sys; sys.path.insert(0, "${BOOK}")`);
    page = python.pyimport("in_page");
    python.pyimport("clearhead.checks");
    Object.assign(page.clock, { alarm: setAlarm, tell: (line) => say("line", { line }) });
    python.setInterruptBuffer(bell);
    say("ready");
  }

  // Python looks here every few loops and calls, and takes the number that it finds for a signal.
  const now = () => performance.now() / 1000;
  const SIGINT = 2, SIGALRM = 14, AGAIN = 0.5;
  const bell = {
    end: Infinity, alarm: Infinity, interval: 0,
    get 0() {
      if (now() > this.alarm) return this.alarm = this.interval ? now() + this.interval : Infinity, SIGALRM;
      if (now() > this.end) return this.end = now() + AGAIN, SIGINT;
      return 0;
    },
    set 0(signal) {},
  };

  function setAlarm(seconds, interval) {
    Object.assign(bell, { alarm: seconds ? now() + seconds : Infinity, interval });
  }

  function run({ code, cell, limit, spare }) {
    Object.assign(bell, { end: now() + limit, alarm: Infinity });
    const result = page.run(code, cell, spare, (text) => say("shown", { text }));
    bell.end = Infinity;
    say("done", { result: { ...JSON.parse(result), records: JSON.parse(page.records()) } });
  }

  // Read a notebook: it is data for the library's reader, and nothing of it runs.
  function read({ file, asked }) {
    python.FS.writeFile("/tmp/loaded.ipynb", new Uint8Array(file));
    say("done", { result: { text: "", error: null, seconds: 0, ...JSON.parse(page.load(asked)) } });
  }

  self.onmessage = async ({ data }) => {
    try {
      if (data.kind === "start") await start(data);
      else if (data.kind === "read") read(data);
      else run(data);
    } catch (error) {
      say("broken", { why: String(error?.message ?? error).slice(0, 500) });
    }
  };
};
