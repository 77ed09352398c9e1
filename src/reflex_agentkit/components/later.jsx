// A part that is fetched when it is first needed, and drawn at once every time after that.
import React, { useEffect, useState } from "react";

/**
 * `load` gives the component; `Waiting` gets the same props until it is there, and `Failed` if it does not come.
 * `.preload()` fetches it early.
 */
export function later(load, Waiting, Failed) {
  let Ready = null;
  let pending = null;
  const fetch = () => {
    pending ??= load().then(
      (component) => {
        Ready = component;
      },
      () => {
        // The next part that needs it asks again.
        pending = null;
      },
    );
    return pending;
  };
  function Later(props) {
    const [tried, setTried] = useState(false);
    useEffect(() => {
      if (Ready) return undefined;
      let mounted = true;
      fetch().then(() => mounted && setTried(true));
      return () => {
        mounted = false;
      };
    }, []);
    const Drawn = Ready ?? (tried ? Failed : Waiting);
    return <Drawn {...props} />;
  }
  Later.preload = fetch;
  return Later;
}
