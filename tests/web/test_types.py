"""What the page takes the wire to be is what the server says of it: both files are made, and neither is out of date."""

import pytest
from tests.api.openapi import spelled
from tests.support import skip_or_fail
from tests.web.page_tools import WEB, node

pytestmark = pytest.mark.xdist_group("web")


@pytest.mark.smoke
def test_the_document_is_what_the_server_says():
    assert (WEB / "openapi.json").read_bytes() == spelled(), "run: make page-types"


@pytest.mark.smoke
def test_the_types_are_made_from_the_document(tmp_path):
    if not (WEB / "node_modules" / "openapi-typescript").is_dir():
        skip_or_fail("the page's packages are not installed; `make page-types` installs them")
    done = node("scripts/types.mjs", str(tmp_path / "schema.ts"))
    assert done.returncode == 0, done.stderr
    assert (WEB / "src" / "wire" / "schema.ts").read_text() == (tmp_path / "schema.ts").read_text(), (
        "run: make page-types"
    )
