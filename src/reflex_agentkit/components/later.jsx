// A part that is fetched when it is first needed, and drawn at once every time after that.
import React, { useEffect, useState } from "react";

/** `load` gives the component; `Waiting` gets the same props until it is there. `.preload()` fetches it early. */
export function later(load, Waiting) {
  let Ready = null;
  let pending = null;
  const fetch = () => {
    pending ??= load().then(
      (component) => {
        Ready = component;
      },
      () => {
        // The network failed: the next part that needs it asks again.
        pending = null;
      },
    );
    return pending;
  };
  function Later(props) {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (Ready) return undefined;
      let mounted = true;
      fetch().then(() => mounted && redraw(1));
      return () => {
        mounted = false;
      };
    }, []);
    if (Ready) return <Ready {...props} />;
    return Waiting ? <Waiting {...props} /> : null;
  }
  Later.preload = fetch;
  return Later;
}
