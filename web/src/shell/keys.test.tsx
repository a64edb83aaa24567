import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { useKey, useKeyListener } from "./keys";

function Slider({ listed, moved }: { listed: () => void; moved: () => void }) {
  useKeyListener();
  useKey("?", "list", listed);
  useKey("ArrowLeft", "move", moved);
  return <input type="range" aria-label="Event" />;
}

test("a slider keeps the keys that move it, and others are shortcuts", async () => {
  const [listed, moved] = [vi.fn(), vi.fn()];
  render(<Slider listed={listed} moved={moved} />);
  const user = userEvent.setup();
  screen.getByLabelText("Event").focus();
  await user.keyboard("?{ArrowLeft}");
  expect(listed).toHaveBeenCalledTimes(1);
  expect(moved).not.toHaveBeenCalled();
});

function Page({ played, pressed }: { played: () => void; pressed: () => void }) {
  useKeyListener();
  useKey(" ", "play", played);
  return (
    <>
      <button type="button" onClick={pressed}>
        Press
      </button>
      <input aria-label="Name" />
      <p tabIndex={-1}>Text</p>
    </>
  );
}

test("Space is no shortcut on a button or while typing", async () => {
  const [played, pressed] = [vi.fn(), vi.fn()];
  render(<Page played={played} pressed={pressed} />);
  const user = userEvent.setup();
  screen.getByText("Text").focus();
  await user.keyboard(" ");
  expect(played).toHaveBeenCalledTimes(1);
  screen.getByText("Press").focus();
  await user.keyboard(" ");
  screen.getByLabelText("Name").focus();
  await user.keyboard(" ");
  expect(played).toHaveBeenCalledTimes(1);
  expect(pressed).toHaveBeenCalledTimes(1);
});
