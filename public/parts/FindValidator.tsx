import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { toAddress } from "../format/url.ts";
import { LookUp } from "./LookUp.tsx";
import { useUrl } from "./use-url.ts";

/** For pages that have nothing to show: leads to the list of validators, searched. */
export function FindValidator() {
  const { network } = useUrl();
  const { route } = useLocation();
  const [text, setText] = useState("");
  return (
    <LookUp
      id="find-validator"
      label="Find a validator by name or key"
      type="search"
      value={text}
      maxLength={100}
      hint="Enter shows what is found."
      isHintHidden
      button="Find"
      labelled="above"
      onType={setText}
      onSubmit={() => {
        if (text.trim() !== "") route(toAddress("/validators", { q: text.trim(), network }));
      }}
    />
  );
}
