import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import { CodeField } from "./Inputs";

function Form() {
  const [value, setValue] = useState("def f():\n");
  return (
    <>
      <CodeField label="Source" hint="" error={undefined} value={value} required onChange={setValue} />
      <button type="button">after</button>
    </>
  );
}

const area = () => screen.getByLabelText<HTMLTextAreaElement>("Source");

test("Tab indents", async () => {
  render(<Form />);
  await userEvent.click(area());
  area().setSelectionRange(9, 9);
  await userEvent.keyboard("{Tab}return 1");
  expect(area().value).toBe("def f():\n    return 1");
});

test("Escape, then Tab, leaves", async () => {
  render(<Form />);
  await userEvent.click(area());
  await userEvent.keyboard("{Escape}{Tab}");
  expect(document.activeElement).toBe(screen.getByText("after"));
  expect(area().value).toBe("def f():\n");
});

test("after Escape and typing, Tab indents again", async () => {
  render(<Form />);
  await userEvent.click(area());
  area().setSelectionRange(9, 9);
  await userEvent.keyboard("{Escape}x{Tab}");
  expect(area().value).toBe("def f():\nx    ");
});

test("Shift+Tab leaves at once", async () => {
  render(
    <>
      <button type="button">before</button>
      <Form />
    </>,
  );
  await userEvent.click(area());
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
  expect(document.activeElement).toBe(screen.getByText("before"));
});
