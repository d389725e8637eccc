/** In place of a part of the site that could not be loaded. */
export function Unavailable() {
  return (
    <div class="state state-problem" role="alert">
      <p>This part of the site could not be loaded. It may have been renewed since you opened it.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Load it again
      </button>
    </div>
  );
}
