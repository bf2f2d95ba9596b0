// A clock that figures and texts of one page share: who leads sets it, and the others go to the same moment.

const CLOCK = "nlpviz-clock";

const momentOf = (clock) => window.nlpvizClocks?.[clock];

function setClock(clock, moment) {
  window.nlpvizClocks = { ...window.nlpvizClocks, [clock]: moment };
  dispatchEvent(new CustomEvent(CLOCK, { detail: clock }));
}

// Call `act` whenever this clock is set; return what ends that.
function onClock(clock, act) {
  const heard = ({ detail }) => detail === clock && act(momentOf(clock));
  addEventListener(CLOCK, heard);
  return () => removeEventListener(CLOCK, heard);
}
