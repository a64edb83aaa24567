"""An accepted command carries the parameters that the domain made of it, looked at like every payload of a domain."""

from mendel.contracts.commands import CommandKind
from mendel.contracts.events.run import CommandAccepted
from mendel.contracts.payloads import DomainPayload, domain_payloads

PARAMETERS = DomainPayload(domain="sample", kind="pace", version=1, data={"steps": 3})


def accepted(parameters: DomainPayload | None) -> CommandAccepted:
    return CommandAccepted(
        command_id="01890000-0000-7000-8000-000000000000",
        position=1,
        kind=CommandKind.SET_PARAMETERS,
        payload={"domain": {"steps": 3}},
        parameters=parameters,
    )


def test_its_parameters_are_a_domains_payload_that_the_log_checks():
    assert list(domain_payloads(accepted(PARAMETERS))) == [PARAMETERS]
    assert list(domain_payloads(accepted(None))) == []


def test_one_of_an_older_log_has_none():
    older = accepted(None).model_dump(exclude={"parameters"})
    assert CommandAccepted.model_validate(older).parameters is None
