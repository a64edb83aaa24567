from tests.ports.lint.cases import found, trait
from tests.support.rows import check_rows

from mendel.contracts.lint import ENTITY, EntityInterface
from mendel.ports.lint import lint

ENT = "AST_ENTITY_ATTR_FORBIDDEN"
WORLD = EntityInterface(**{**ENTITY.model_dump(), "sync_methods": {"near"}, "async_methods": {"move"}})


@check_rows(
    ("body", "findings"),
    [
        ("entity.x += entity.age", []),
        ("entity.soul", [(ENT, 3, 9)]),
        ("entity.age = 3", [(ENT, 3, 9)]),
        ("entity.traits += 1", [(ENT, 3, 9)]),
        ("del entity.x", [(ENT, 3, 13)]),
        ("e = entity\nf = e\nf.soul", [(ENT, 5, 9)]),
        ("(e := entity).x\ne.soul", [(ENT, 4, 9)]),
        ("e: object = entity\ne.soul", [(ENT, 4, 9)]),
        ("def g(): return entity.soul\ng()", [(ENT, 3, 25)]),
        ("[entity.soul for _ in [1]]", [(ENT, 3, 10)]),
        ("match entity:\n    case object(soul=s): pass", [(ENT, 4, 18)]),
        ("match entity:\n    case object(x=1): pass", []),
        ("self.near = 1\nself.soul = 2", []),
        ("entity.__dict__", [("AST_BANNED_ATTR", 3, 9)]),
    ],
)
def test_what_a_trait_may_touch(body, findings):
    assert found(trait(body), "trait") == findings


@check_rows(
    "call", ["help_(1, entity)", "help_(1, who=entity)", "self.method(1, entity)", "self.method(1, who=entity)"]
)
def test_the_entity_is_followed_into_functions_of_the_file(call):
    source = trait(call) + "    def method(self, n, who): return who.soul\ndef help_(n, who): return who.soul\n"
    line = 4 if "method" in call else 5
    assert [item[:2] for item in found(source, "trait")] == [(ENT, line)]


def test_another_name_for_the_parameter_changes_nothing():
    assert found("class A(Trait):\n    async def execute(self, me): me.soul", "trait") == [(ENT, 2, 34)]


def test_a_world_says_what_its_entities_have():
    source = trait("await entity.move(1)\nentity.near()")
    assert found(source, "trait", entity=WORLD) == []
    assert [item[0] for item in found(source, "trait")] == [ENT, ENT]
    assert found(trait("entity.near = 1"), "trait", entity=WORLD) == [(ENT, 3, 9)]


def test_the_hint_names_what_there_is():
    (finding,) = lint(trait("entity.enrgy"), "trait")
    assert finding.hint.startswith("did you mean energy? an entity has: age,")
