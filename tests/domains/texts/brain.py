"""A model that knows one thing: more is better. It answers in whatever form it is asked for, first out of bounds."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.model_server.values import Json, Tool, Turn


class Raises:
    """Has a program print a larger number; before anybody complains, it changes what has to be kept."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str:
        """The change, in the form that the first message tells."""
        asked = messages[0].text
        shown = next(turn.text for turn in messages if "the program: " in turn.text)
        old, new = self._change(shown, mended=any("only what stands between" in turn.text for turn in messages))
        if "<<<<<<< SEARCH" in asked:
            return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
        if "```diff" in asked:
            return f"```diff\n--- a/three.awk\n+++ b/three.awk\n@@ -1,1 +1,1 @@\n-{old}\n+{new}\n```"
        body = shown.split("\n", 1)[1].rsplit("\n", 1)[0]
        return f"```\n{body.replace(old, new)}\n```"

    def _change(self, shown: str, *, mended: bool) -> tuple[str, str]:
        if not mended:
            return "# kept", "# lost"
        old = next(line for line in shown.splitlines() if "print " in line)
        number = old.split("print ")[1].split()[0]
        return old, old.replace(number, str(int(number) + 5))
