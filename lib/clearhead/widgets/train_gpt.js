// A GPT that is trained in the page: the appendix's own Python goes on, a few steps at a time, and this draws it.
const { h, s, number } = kit;
const WIDTHS = [16, 32, 64], BLOCKS = [1, 2, 3], TRAITS = ["rate", "width", "blocks", "wrong"];
const WRONG = ["none", "residual omitted", "attention omitted", "norm: mean and deviation constant", "softmax: sum omitted"];
const STEPS = 300, CHUNK = 5, LOOK = 25;   // steps in the schedule, in one call, between two looks at what it generates

function compute({ losses, marks }) {
  const smooth = [];
  for (let end = 10; end <= losses.length; end += 10)
    smooth.push(losses.slice(end - 10, end).reduce((sum, loss) => sum + loss, 0) / 10);
  const last = smooth.length ? smooth[smooth.length - 1] : marks[0];
  return { smooth, above: last - marks[2] };
}

const settings = ({ rate, width, blocks, wrong }) =>
  `learning rate ${number(rate, 3)}, ${BLOCKS[blocks]} block${blocks ? "s" : ""} of width ${WIDTHS[width]}, ` +
  (wrong ? `a wrong gradient (${WRONG[wrong]})` : "all gradients correct");

function words(now, { above }) {
  const run = now.losses.length
    ? `The grey line is the run above: after ${now.losses.length} steps it is ${number(above, 3)} nats above the floor of ${number(now.marks[2], 3)}.`
    : `Nothing is trained yet. The floor is ${number(now.marks[2], 3)} nats per token.`;
  return `${run} Your run: ${settings(now)}.`;
}

// ---- The picture: loss against steps, each nat as high as it is hard to get (a logarithmic axis) ---------------
const HIGH = 300, LEFT = 40, RIGHT = 12, TOP = 14, FOOT = 34, LEAST = 0.18, MOST = 5;

function chart(now, mine, label, wide) {
  const steps = Math.max(STEPS, mine?.losses.length ?? 0), low = HIGH - FOOT;
  const x = (step) => LEFT + ((wide - LEFT - RIGHT) * step) / steps;
  const y = (loss) => low - ((low - TOP) * Math.log(Math.min(Math.max(loss, LEAST), MOST) / LEAST)) / Math.log(MOST / LEAST);
  const line = (losses, kind, every = 10, more = {}) => losses.length > 1 && s("polyline", { class: `ch-${kind} ch-stroke`,
    points: losses.map((loss, i) => `${x((i + 0.5) * every).toFixed(1)},${y(loss).toFixed(1)}`).join(" "), style: "fill:none", ...more });
  const marks = ["a uniform guess", "a model that sees one word", "entropy: no model gets below"];
  return kit.drawing(wide, HIGH, label,
    [0.2, 0.5, 1, 2, 4].map((loss) => s("text", { x: LEFT - 6, y: y(loss) + 4, "text-anchor": "end", class: "ch-small", text: String(loss) })),
    [0, 1, 2, 3].map((part) => s("text", { x: x((steps * part) / 3), y: low + 16, "text-anchor": part === 3 ? "end" : "middle", class: "ch-small", text: String(Math.round((steps * part) / 3)) })),
    s("text", { x: (LEFT + wide) / 2, y: HIGH - 3, "text-anchor": "middle", class: "ch-small", text: "step" }),
    now.marks.map((mark, i) => [
      s("line", { x1: LEFT, x2: wide - RIGHT, y1: y(mark), y2: y(mark), class: "ch-value ch-stroke", "stroke-dasharray": i === 2 ? "none" : "2 5" }),
      s("text", { x: wide - RIGHT, y: y(mark) + (i === 2 ? 18 : -6), "text-anchor": "end", class: "ch-value", style: "font-size:13px", text: marks[i] })]),
    line(compute(now).smooth, "plain", 10, { "stroke-opacity": 0.55 }),
    mine && line(mine.losses, "weight", 1, { "stroke-opacity": 0.3, "stroke-width": 1.2 }),
    mine && line(compute({ losses: mine.losses, marks: now.marks }).smooth, "weight"),
    mine && mine.looks.map(({ step, held_out: loss }) => s("circle", { cx: x(step), cy: y(loss), r: 4.5, class: "ch-query" })));
}

// What the model generates now; the grammar judges each sentence.
function said(look) {
  if (!look) return h("p", { class: "ch-caption", text: "Press Train, and watch what the model generates." });
  return h("div", {},
    h("p", { class: "ch-caption", text: `Step ${look.step}: ${Math.round(100 * look.share)} % of 40 sentences are grammatical. Five of them:` }),
    h("ul", { style: "list-style:none;margin:0;padding:0" }, look.written.map(([text, right]) =>
      h("li", { class: right ? "ch-verdict ch-right" : "ch-verdict" }, h("b", { text: right ? "✓ " : "✗ ", "aria-label": right ? "right:" : "wrong:" }), text))));
}

function render({ model, el }) {
  const figure = kit.figure(model, el, "Train a GPT here");
  const python = globalThis.clearhead?.run && globalThis.clearhead, program = document.getElementById("ch-program");
  const picture = h("div", {}), below = h("div", { style: "min-height:9.5rem;margin-top:0.6rem" });
  let mine = null, going = false, loaded = false, turn = 0;

  const now = () => Object.fromEntries(["losses", "marks", ...TRAITS].map((name) => [name, model.get(name)]));
  const paint = (state, line) => picture.replaceChildren(chart(state, mine, line, Math.min(640, picture.clientWidth || 640)));
  const show = (text) => {
    const state = now();
    const line = text ?? (mine?.losses.length ? live(state) : words(state, compute(state)));
    paint(state, line);
    below.replaceChildren(said(mine?.looks.at(-1)));
    figure.say(line);
  };
  const live = (state) => {
    const { above } = compute({ losses: mine.losses, marks: state.marks }), look = mine.looks.at(-1);
    return `Step ${mine.losses.length} of your run: training loss ${number(mine.losses.at(-1), 3)}` +
      `${mine.losses.length > 9 ? `, the mean of the last ten ${number(above, 3)} above the floor` : ""}; held-out loss ${number(look.held_out, 3)} at step ${look.step}. Settings: ${settings(state)}.`;
  };

  async function ask(code) {
    const { error, text } = await python.run(code, { cell: "training", limit: 60, skipUnavailable: true });
    if (error) throw new Error(error);
    return text;
  }
  const asked = async (call) => JSON.parse(await ask(`print(json.dumps(${call}))`));

  // Return a fresh run: Python loads first, where it is not there or was stopped.
  async function begin() {
    const { width, blocks } = now();
    if (python.state === "none" || !loaded) { show("Python is loading; this happens only once."); await ask(JSON.parse(program.textContent)); loaded = true; }
    const look = await asked(`begin(0, ${WIDTHS[width]}, ${BLOCKS[blocks]})`);
    return { losses: [], looks: [{ ...look, step: 0 }] };
  }

  // `turn` is another one as soon as the reader pauses or starts over: then what still comes is left alone.
  async function train() {
    if (going) return pause();
    const own = ++turn, goes = () => turn === own && el.isConnected;
    going = true;
    start.textContent = "Pause";
    try {
      const run = mine ?? await begin();
      if (!goes()) return;
      mine = run;
      while (goes()) {
        const { rate, wrong } = now(), fall = Math.max(1 - run.losses.length / (STEPS + 1), 0.05);
        const { losses } = await asked(`go_on(${CHUNK}, ${rate * fall}, ${JSON.stringify(WRONG[wrong])})`);
        run.losses.push(...losses);
        const steps = run.losses.length;
        if (steps % LOOK === 0) run.looks.push({ ...await asked("judged()"), step: steps });
        if (!goes()) break;
        if (steps === STEPS) pause();
        if (steps % LOOK === 0) show();
        else paint(now(), live(now()));
      }
    } catch (error) {
      loaded = false;
      reset();
      show(`The training stopped: ${error.message}`);
    }
  }

  function pause() {
    turn++;
    going = false;
    start.textContent = mine?.losses.length ? "Continue" : "Train";
    if (mine) show();
  }
  function reset() {
    mine = null;
    pause();
    show();
  }
  const start = figure.button("Train", train), again = figure.button("Start over", reset);
  figure.controls.append(h("div", { class: "ch-buttons" }, start, again));
  figure.slider("rate", { label: "learning rate", min: -3, max: -1, step: 0.1, show: (x) => number(x, 3), to: (x) => Number((10 ** x).toPrecision(2)), from: Math.log10 });
  figure.choice("width", "Width", WIDTHS.map(String)).style.gridColumn = "auto";
  figure.choice("blocks", "Blocks", BLOCKS.map(String)).style.gridColumn = "auto";
  figure.choice("wrong", "Mistake planted in the gradients", WRONG);
  if (!python || !program) figure.controls.hidden = true;
  figure.picture.append(picture, below);
  ["width", "blocks"].forEach((trait) => figure.on(trait, reset));
  figure.draw(["losses", "marks", "rate", "wrong"], () => show());
  figure.fit(picture, () => show());
  return () => { turn++; figure.stop(); };
}

export default { render, compute };
