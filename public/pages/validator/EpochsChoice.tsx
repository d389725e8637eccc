import { useUrl } from "../../app/use-url.ts";
import { NewestChoice } from "./NewestChoice.tsx";
import { EPOCHS_DEFAULT, readEpochs, toEpochOptions } from "./ranges.ts";

/** How many epochs the charts show: the same for all of them. */
export function EpochsChoice() {
  const { query, change } = useUrl();
  const epochs = readEpochs(query);
  return (
    <NewestChoice
      label="Epochs shown"
      options={toEpochOptions(epochs)}
      chosen={epochs}
      onChoose={(newest) => change({ epochs: newest === EPOCHS_DEFAULT ? null : newest })}
    />
  );
}
