"""Commands of domains: whose they are, why one cannot be used, and whose bug it is where one raises."""

import pytest
from tests.rules.attackers import bare, install_plugin

from mendel.contracts.step_words import StepWords

REGISTERED = """
from mendel.contracts.step_words import StepWords
from mendel.ports.registration import DomainRegistration
MADE = DomainRegistration(name="{name}", title="", summary="For tests.", {fields})
"""
DOMAIN = """
import typer

APP = typer.Typer()

@APP.command()
def kettle(hot: bool = False) -> None:
    print("boils")

@APP.command()
def boom() -> None:
    raise ValueError("the kettle burst")

@APP.command()
def usage() -> None:
    raise typer.BadParameter("no such cup")

@APP.command()
def leave() -> None:
    raise typer.Exit(3)

def odd(cup: int | str) -> None: ...

NUMBER = 5
"""


@pytest.fixture
def domain(tmp_path, monkeypatch):
    """Installs a domain whose registration says what is given; the name and version of its package."""

    def install(name="teas", replaced=("", ""), more="", **fields):
        source = bare(name).replace(*replaced) + DOMAIN + more
        folder = install_plugin(tmp_path, source, {"registrations": {}})
        said = {"domain": f"{folder.name}:Bare", **fields}
        told = ", ".join(f"{key}={value!r}" for key, value in said.items()).replace("{module}", folder.name)
        (folder / f"{folder.name}_registered.py").write_text(REGISTERED.format(name=name, fields=told))
        (info,) = folder.glob("*.dist-info")
        (info / "entry_points.txt").write_text(f"[mendel.domains]\n{name} = {folder.name}_registered:MADE\n")
        monkeypatch.syspath_prepend(str(folder))
        return f"{folder.name} 1.0"

    return install


def loads(mendel, name="teas"):
    return mendel("plugin", "info", f"mendel.domains:{name}", "--json").json["plugins"][0]["loads"]


def test_what_a_command_raises_is_its_domain_s_bug_and_what_it_tells_is_its_own(mendel, domain):
    package = domain(commands={"tea": "{module}:APP"})
    assert mendel("tea", "kettle", "--hot").out == "boils\n"
    raised = mendel("tea", "boom")
    assert (raised.code, raised.err.count("Traceback")) == (1, 1)
    told = f'the command `tea` of the domain "teas" ({package}) raised ValueError; this is a bug of the domain'
    assert told in raised.err.splitlines()[-1]
    assert "bug in Mendel" not in raised.err
    usage = mendel("tea", "usage")
    assert (usage.code, "no such cup" in usage.err, mendel("tea", "leave").code) == (2, True, 3)
    assert loads(mendel) == "yes"


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("{module}:AP", "cannot be loaded: AttributeError"),
        ("{module}:NUMBER", "as its command tea, which is not a function"),
        ("{module}:odd", "as its command tea, which Typer does not take: "),
    ],
)
def test_one_that_cannot_be_used_says_why_however_it_is_called(mendel, domain, reference, told):
    domain(commands={"tea": reference, "kettle": "{module}:APP"})
    for arguments in ((), ("kettle",), ("kettle", "--hot", "3"), ("--hot",)):
        refused = mendel("tea", *arguments)
        assert refused.code == 4, refused.err
        assert told in refused.err
    assert told in " ".join(mendel("tea", "--help").out.replace("│", " ").split())
    assert "Does not load; call it to see why." in mendel("--help").out
    assert mendel("kettle", "kettle").out == "boils\n"
    assert told in loads(mendel)


def test_one_that_two_packages_claim_is_neither_s_and_one_of_mendel_s_own_stays_mendel_s(mendel, domain):
    teas = domain(commands={"tea": "{module}:APP", "run": "{module}:APP"})
    milks = domain("milks", commands={"tea": "{module}:APP", "evolve": "{module}:APP", "milk": "{module}:APP"})
    told = f'the command tea is claimed by the domain "milks" ({milks}) and by the domain "teas" ({teas})'
    refused = mendel("tea", "kettle")
    assert (refused.code, told in refused.err) == (4, True)
    assert "--generations" in mendel("run", "--help").out
    assert mendel("milk", "kettle").out == "boils\n"
    for name, own in (("teas", "run"), ("milks", "evolve")):
        assert told in loads(mendel, name)
        assert f"registers the command {own}, which Mendel has already" in loads(mendel, name)
    doctored = {each["name"]: each for each in mendel("doctor", "--json").json["probes"]}
    assert (doctored["domain teas"]["status"], told in doctored["domain teas"]["detail"]) == ("limited", True)
    assert "domain programs" not in doctored


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"panels": "{module}:APP"}, "as its panels, which cannot be used: it is not a tuple of Panel"),
        ({"report": "{module}:APP"}, "as its report, which is no Rows"),
        ({"tables": "{module}:APP"}, "as its tables, which is not a DomainTables"),
        ({"domain": "{module}:NUMBER"}, "is int, not a class of domain"),
        ({"services": ("{module}:APP",)}, "is not a subclass of Service"),
        ({"steps": (StepWords(step="teas.tste", word="tasting"),)}, "has no step 'teas.tste', for which it has words"),
        (
            {"steps": (StepWords(step="tea.taste", word="tasting"),)},
            "its name 'teas' must be that of its entry point",
        ),
    ],
)
def test_what_is_registered_as_something_else_does_not_load(mendel, domain, fields, told):
    domain(**fields)
    assert loads(mendel).startswith("no: ")
    assert told in loads(mendel)


NAMELESS = '    name = "teas"\n'
STEPS = "    steps = {}\n"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (NAMELESS, "", 'Bare has no name; add name = "teas" to it'),
        (NAMELESS, "    name = 5\n", "has the name 5 in its class; the names must be equal"),
        (STEPS, "    steps = None\n", "Bare.steps must map names to Step, such as {'teas.examine': Step()}, not None"),
        (STEPS, "    steps = {}\n    operators = None\n", "Bare.operators must be a tuple of Operator, not None"),
        ("payloads = {}", "payloads = [5]", "Bare.payloads must map (kind, version) to models, such as {('row', 1):"),
        ("payloads = {}", "payloads = {('a', 1): 3}", "Bare.payloads must have subclasses of pydantic.BaseModel as"),
        (STEPS, "    steps = {}\n    most_candidates = []\n", "must be a whole number from 1 to 10,000, not []"),
        (STEPS, "    steps = {'teas.sip': Step(children=([],))}\n", "the declarations of bad_plugin_"),
        (STEPS, "    steps = {'programs.vary': Step(ports=('sandboxx',))}\n", "did you mean sandbox?"),
    ],
)
def test_a_class_that_lacks_something_is_told_so_and_breaks_its_own_domain_only(mendel, domain, before, after, says):
    domain(replaced=(before, after))
    assert says in loads(mendel)
    doctored = {each["name"]: each for each in mendel("doctor", "--json").json["probes"]}
    assert says in doctored["domain teas"]["detail"]
    assert "domain programs" not in doctored
    run = mendel("--log", "file", "run", "--domain", "teas", "--seed", "1")
    assert run.code in (2, 4)
    assert "bug in Mendel" not in run.err


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("'a str'", "returns a str, not a SourceText"),
        ("1 / 0", 'the text of the domain "teas"'),
        ("None", "yes"),
        ("SourceText(language='text', source='a cup')", "yes"),
    ],
)
def test_a_text_that_would_not_be_shown_does_not_load(mendel, domain, answer, says):
    cup = "[DomainPayload(domain='teas', kind='cup', data={})]"
    text = f"""
from mendel.api.schemas_candidates import SourceText
from mendel.contracts.payloads import DomainPayload
def shown(genome, candidate):
    return {answer}
"""
    domain(text="{module}:shown", replaced=("return []", f"return {cup}"), more=text)
    assert says in loads(mendel)
