"""A run of a domain with required configuration, where nothing is set."""

import pytest
from tests.api.served import serving
from tests.api.test_security import told
from tests.rules.attackers import install_plugin

SOURCE = """
class Brief(BaseModel):
    slogan: str
    font: str
    size: int = 12

class Slogans(Domain):
    name = "slogans"
    payloads = {("brief", 1): Brief}
    config_kind = ("brief", 1)
    def refusal(self, config): return "no run for " + config.domain_config.data["slogan"]
    def founders(self, config, entropy): return []
    def express(self, genome, config): return None
    def route(self, dossier): return ()
"""


@pytest.mark.slow
def test_the_keys_are_named_with_how_to_set_them_at_the_command_line_and_over_the_api(tmp_path):
    folder = install_plugin(tmp_path, SOURCE, {"domains": {"slogans": "Slogans"}})
    lacking, how = "slogan: Field required", "set it by --set slogan=…"
    with serving(tmp_path, PYTHONPATH=str(folder)) as server:
        for sets, body, words in (
            ((), {}, (lacking, "font: Field required", f"{how} --set font=…")),
            ((), {"config": {}}, (lacking, how)),
            (("--set", "font=bold"), {"config": {"font": "bold"}}, (f"slogans: {lacking}; {how}",)),
        ):
            done = server.mendel("run", "--domain", "slogans", *sets)
            answer = server.post("/api/runs", {"domain": "slogans", **body})
            assert (done.returncode, told(answer)) == (2, (422, "config"))
            assert all(each in done.stderr and each in answer.json()["detail"] for each in words)
        both = {"slogan": "hop", "font": "bold"}
        answer = server.post("/api/runs", {"domain": "slogans", "config": both})
        assert (told(answer)[1], answer.json()["detail"]) == ("run_refused", "no run for hop")
        assert server.runs() == []
