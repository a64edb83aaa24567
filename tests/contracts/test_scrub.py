"""Rule 4: no secret gets past the scrubber, and nothing else is touched by it."""

import json
import string
import time
from urllib.parse import quote

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.canonical import canonical
from mendel.contracts.scrub import MIN_SECRET_LENGTH, REDACTED, Scrubber, is_secret_name, passwords_in

WORD = string.ascii_letters + string.digits
DASHED = WORD + "_-"


def drawn(alphabet, low, high=None):
    return st.text(alphabet, min_size=low, max_size=(high or low) + (0 if high else 12))


FORMATS = {
    "openai": drawn(DASHED, 16).map("sk-{}".format),
    "anthropic": drawn(DASHED, 16).map("sk-ant-api03-{}".format),
    "stripe": st.builds("{}k_{}_{}".format, st.sampled_from("sr"), st.sampled_from(["live", "test"]), drawn(WORD, 16)),
    "google": drawn(DASHED, 30).map("AIza{}".format),
    "aws": st.builds("A{}A{}".format, st.sampled_from(["KI", "SI"]), drawn(string.ascii_uppercase + "0123", 16, 16)),
    "github": st.builds("gh{}_{}".format, st.sampled_from("pousr"), drawn(WORD, 30)),
    "github-fine": drawn(WORD + "_", 30).map("github_pat_{}".format),
    "gitlab": drawn(DASHED, 20).map("glpat-{}".format),
    "slack": st.builds("xox{}-{}".format, st.sampled_from("abeprs"), drawn(WORD + "-", 10)),
    "groq": drawn(WORD, 20).map("gsk_{}".format),
    "huggingface": drawn(WORD, 30).map("hf_{}".format),
    "npm": drawn(WORD, 30).map("npm_{}".format),
    "pypi": drawn(DASHED, 30).map("pypi-{}".format),
    "sendgrid": st.builds("SG.{}.{}".format, drawn(DASHED, 16), drawn(DASHED, 16)),
    "xai": drawn(WORD, 30).map("xai-{}".format),
    "perplexity": drawn(WORD, 30).map("pplx-{}".format),
    "replicate": drawn(WORD, 30).map("r8_{}".format),
    "vault": drawn(DASHED, 24).map("hvs.{}".format),
    "google-oauth": drawn(DASHED, 24).map("ya29.{}".format),
    "digitalocean": drawn("abcdef0123456789", 40).map("dop_v1_{}".format),
    "shopify": drawn("abcdef0123456789", 30).map("shpat_{}".format),
    "webhook": drawn(WORD, 24).map("whsec_{}".format),
    "age": drawn(string.ascii_uppercase + string.digits, 40).map("AGE-SECRET-KEY-1{}".format),
    "jwt": st.builds("eyJ{}.eyJ{}.{}".format, drawn(DASHED, 8), drawn(DASHED, 8), drawn(DASHED, 8)),
    "pem": st.builds(
        "-----BEGIN {0}PRIVATE KEY-----\n{1}\n-----END {0}PRIVATE KEY-----".format,
        st.sampled_from(["", "RSA ", "EC ", "OPENSSH "]),
        drawn(WORD + "+/=\n", 40),
    ),
    "pgp": drawn(WORD + "+/=\n", 40).map(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{}\n-----END PGP PRIVATE KEY BLOCK-----".format
    ),
    "pem-cut": drawn(WORD + "+/=\n", 40).map("-----BEGIN PRIVATE KEY-----\n{}".format),
}
ONE_LINE = sorted(set(FORMATS) - {"pem", "pem-cut", "pgp"})
every_format = check_rows("name", sorted(FORMATS))
fewest, few, many = (settings(max_examples=int(settings().max_examples * share)) for share in (0.2, 0.4, 4))
"""Properties that are tried for each of many formats get few examples apiece."""

HEADS = ["Bearer ", "bearer ", "BEARER ", "Basic ", "Authorization: Bearer ", "x-api-key: ", "X-API-Key: ", "api-key: "]
URLS = ["postgres://user:{}@host/db", "redis://:{}@host", "https://a.b-c:{}@h:1/p?q"]

clean_texts = st.text(st.characters(categories=["Ll", "Nd", "Zs", "Lo"]), max_size=20)
edges = st.sampled_from(["", " ", "\n", '"', "'", "\\", "(", ",", "é", "🌱", "\t", "="])
env_secrets = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs"]) | st.sampled_from('"\\/\n\t\x01 éß'), min_size=8, max_size=30
).filter(lambda text: text.strip() == text and len(text) >= MIN_SECRET_LENGTH and not REDACTED.count(text))


def json_around(leaf):
    """JSON of any shape with ``leaf`` somewhere in it: as a value, within a value, as a key, deep in arrays."""
    plain = st.none() | st.booleans() | st.integers(-9, 9) | clean_texts
    return st.recursive(
        st.just(leaf) | clean_texts.map(lambda text: f"{text} {leaf} {text}"),
        lambda inner: (
            st.tuples(st.lists(plain, max_size=2), inner).map(lambda pair: [*pair[0], pair[1]])
            | st.tuples(clean_texts, inner).map(lambda pair: {"a": 1, pair[0]: pair[1]})
            | inner.map(lambda value: {leaf: value})
            | inner.map(lambda value: {f"the {leaf}": 1, leaf: 2, "x": value})
        ),
        max_leaves=4,
    )


def strings_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings_in(inner)


def holds(value, secret):
    return any(secret in text for text in strings_in(value))


def assert_safe(scrubber, value):
    """What the log relies on: the fast path never says no where the slow one would change something."""
    clean = scrubber.value(value)
    assert clean == value or scrubber.suspects(canonical(value)), "the fast path would have let it through"
    assert scrubber.value(clean) == clean, "scrubbing what is scrubbed changes nothing"
    return clean


# --- formats ---------------------------------------------------------------------------------------------------


@every_format
@few
@given(st.data())
def test_a_well_known_key_is_removed_wherever_it_stands(name, data):
    secret = data.draw(FORMATS[name])
    value = data.draw(json_around(secret))
    assert not holds(assert_safe(Scrubber(), value), secret)


@every_format
@few
@given(st.data(), edges, edges)
def test_a_well_known_key_is_removed_whatever_stands_beside_it(name, data, before, after):
    secret = data.draw(FORMATS[name])
    clean = assert_safe(Scrubber(), {"text": f"{before}{secret}{after}"})
    if name == "pem-cut":
        assert clean == {"text": before + REDACTED}
    else:
        assert clean == {"text": before + REDACTED + after}


@every_format
@few
@given(st.data())
def test_a_well_known_key_in_bytes_is_removed(name, data):
    secret = data.draw(FORMATS[name])
    text = f"log line: {secret}\n"
    clean = Scrubber().bytes(text.encode())
    assert secret.encode() not in clean
    assert REDACTED.encode() in clean
    assert Scrubber().bytes(clean) == clean


@many
@given(st.lists(st.one_of(*FORMATS.values()), min_size=2, max_size=3), st.sampled_from([" ", "\n", ",", ":", "@", "/"]))
def test_several_keys_are_all_removed(secrets, between):
    clean = assert_safe(Scrubber(), between.join(secrets))
    assert not any(secret in clean for secret in secrets)


@check_rows("head", HEADS)
@few
@given(drawn(WORD + "._~+/-", 16), st.sampled_from(["", "=", "=="]))
def test_what_follows_an_authorization_is_removed(head, secret, padding):
    clean = assert_safe(Scrubber(), {"headers": f"{head}{secret}{padding}\nHost: x"})
    assert clean == {"headers": f"{head}{REDACTED}\nHost: x"}


@check_rows("head", ["Bearer ", "x-api-key: "])
@check_rows("name", ONE_LINE)
@fewest
@given(st.data())
def test_a_well_known_key_in_a_header_leaves_no_rest(name, head, data):
    secret = data.draw(FORMATS[name])
    assert assert_safe(Scrubber(), f"{head}{secret}.and+more/rest1234567890") == f"{head}{REDACTED}"


@check_rows("url", URLS)
@few
@given(st.text(WORD + "!$%^&*()_+-=[]{};,.<>?|~#é", min_size=1, max_size=20).filter(lambda text: text != REDACTED))
def test_the_password_of_a_url_is_removed_and_its_user_stays(url, password):
    assert assert_safe(Scrubber(), [url.format(password)]) == [url.format(REDACTED)]


@check_rows("name", ONE_LINE)
@fewest
@given(st.data(), st.sampled_from(["", "x.", "oauth2-"]))
def test_a_url_whose_user_is_a_key_loses_both(name, data, prefix):
    key = data.draw(FORMATS[name])
    clean = assert_safe(Scrubber(), f"https://{prefix}{key}:pass-word@host/x")
    assert key not in clean
    assert "pass-word" not in clean


@check_rows(
    "text",
    [
        *("task-scheduler-implementation", "a risk-assessment-of-everything", "disk-full-and-more-text"),
        *("xai-explainable-artificial-intelligence-methods", f"taxai-{'a' * 40}", f"monster8_{'a' * 40}"),
        *(f"archvs.{'a' * 40}", "hvs.short", "whsec_ and more", f"x1shpat_{'a' * 40}", "AGE-SECRET-KEY-1"),
    ],
)
def test_words_that_end_like_a_key_begins_stay(text):
    assert Scrubber().value({"text": text}) == {"text": text}


ASSIGNED = ["password", "passwd", "pwd", "api_key", "apikey", "api-key", "token", "secret", "PASSWORD", "Api_Key"]
PLACES = [
    *("{}={}", "https://h/p?{}={}&x=1", "https://h/p?a=1&{}={}", "host=h {}={} dbname=d", "export MY_{}={}\nls"),
    *("{}='{}'", '{}="{}"', "X{}={};", "--{}={} --go"),
]


@check_rows("name", ASSIGNED)
@check_rows("place", PLACES)
@fewest
@given(drawn(WORD + "!$%^*_+-./~@?é", 7), st.sampled_from(string.digits))
def test_what_is_assigned_to_a_secret_name_is_removed(place, name, start, digit):
    clean = assert_safe(Scrubber(), {"a": [place.format(name, start + digit)]})
    assert clean == {"a": [place.format(name, REDACTED)]}
    data = json.dumps([place.format(name, start + digit)], ensure_ascii=False).encode()
    assert json.loads(Scrubber().bytes(data)) == [place.format(name, REDACTED)]


@check_rows(
    "text",
    [
        *("password = input()", "token=tokens[i]", "secret=None", "password = 'hunter2hunter2'", "token=token"),
        *("f(token=all_tokens2[i])", "password=hashlib.sha256(data)", "if token==expected12345:", "pwd=short1"),
        *("api_key=os.environ", "token={value12345}", "secret=load_secret2(name)", "max_tokens=123456789"),
        *("api_key_env=OPENAI_KEY_12", "tokens=1234567890", "password: 12345678"),
    ],
)
def test_source_that_speaks_of_secrets_stays(text):
    assert assert_safe(Scrubber(), {"text": text}) == {"text": text}


def test_an_assignment_at_the_end_of_a_string_does_not_reach_into_the_next():
    for value in ({"the pwd= ": 1234567890123}, ["token=", "abcdefgh1234"], {"b": "secret=", "c": "abcdefgh1234"}):
        data = canonical(value)
        assert assert_safe(Scrubber(), value) == value
        assert Scrubber().bytes(data) == data


@check_rows("head", ["Authorization: Token ", "Authorization: Bearer ", "authorization: token "])
@given(drawn(WORD + "._~+/-", 8))
def test_a_short_token_behind_the_whole_header_is_removed(head, secret):
    assert assert_safe(Scrubber(), f"{head}{secret}\nHost: x") == f"{head}{REDACTED}\nHost: x"


def test_long_lines_of_assignments_take_no_quadratic_time():
    began = time.perf_counter()
    for text in ("token=" * 50_000, "token=1" * 50_000 + "[", "password='" * 30_000):
        Scrubber().text(text)
    assert time.perf_counter() - began < 20


def test_what_stands_right_behind_a_secret_is_looked_at_again():
    for rest in (f"sk-{'a' * 20}", f"r8_{'a' * 40}", f"xai-{'b' * 40}"):
        assert assert_safe(Scrubber(), f"AKIA{'X' * 16}{rest}") == REDACTED * 2
    assert_safe(Scrubber(["12345678", "xxxxxxne"]), {"12345678bpass": "x", "xxxxxxnext_token": "y"})


@many
@given(
    st.lists(
        st.one_of(
            *FORMATS.values(),
            st.sampled_from(
                [*ASSIGNED, "=", "='", "[", "(", REDACTED, "://u:", "@", "Bearer ", "authorization: token "]
            ),
            st.text(WORD, max_size=12),
            edges,
        ),
        max_size=8,
    ).map("".join)
)
def test_any_mixture_is_scrubbed_once_and_never_behind_the_fast_path(text):
    assert_safe(Scrubber(["correct horse"]), {"a": [text], text: 1})
    scrubber = Scrubber()
    assert scrubber.text(text) == text or scrubber.suspects(text.encode())


@check_rows("name", ["pass_word", "Pass-Word", "db pass word", "pass_phrase", "api_key_", "API-Key"])
def test_names_spelled_in_two_words_are_names(name):
    assert assert_safe(Scrubber(), {name: "hunter2"}) == {name: REDACTED}


def test_a_private_key_behind_another_key_is_removed_too():
    pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"
    clean = assert_safe(Scrubber(), f"sk-aaaaaaaaaaaaaaaaaaaa{pem}")
    assert "MIIE" not in clean


@check_rows("text", ["ba\u017fic abcdefghijklmnopqrstuvwx", "x-api-\u212aey: abcdefghijkl", "BAS\u0130C " + "a" * 20])
def test_letters_that_only_look_like_a_header_do_not_part_the_two_paths(text):
    assert_safe(Scrubber(), text)
    assert_safe(Scrubber(), {"a": [text]})


# --- names of keys ---------------------------------------------------------------------------------------------

SECRET_NAMES = [
    *("password", "Password", "PASSWORD", "db_password", "api_key", "apiKey", "API-KEY", "openai_api_key", "token"),
    *("access_token", "refreshToken", "client_secret", "secret", "authorization", "Authorization", "Cookie"),
    *("Set-Cookie", "private_key", "aws_secret_access_key", "passphrase", "credentials", "auth", "x-api-key"),
    *("Proxy-Authorization", "id_token", "session token", "passwd", "token:", "api_key_", "password ", "auth."),
    *(
        "api_token",
        "github_token",
        "githubToken",
        "bot_token",
        "csrf_token",
        "x-auth-token",
        "GITHUB_TOKEN",
        "apitoken",
    ),
    *("api_keys", "apiKeys", "API-KEYS", "access_tokens", "api_tokens", "refreshTokens", "auth-tokens", "passwords"),
    *("secrets", "client_secrets", "pwd", "db_pwd", "pass", "db_pass", "smtpPass", "signing_key", "encryption_key"),
    *("ssh_key", "aws_credentials", "session_cookie", "auth_header", "authHeader", "Auth-Header"),
]
OPEN_NAMES = [
    *("api_key_env", "max_tokens", "tokens_in", "tokens_out", "tokens_per_unit", "token_count", "tokenizer", "key"),
    *(
        "keys",
        "keyboard",
        "author",
        "authority",
        "secretary",
        "cookies_accepted",
        "password_policy",
        "passed",
        "bypass",
    ),
    *("entropy_key", "sort_key", "primary_key", "subtype_check_pass", "secrets_found", "monkey", "next_token"),
    *(
        "tokens",
        "compass",
        "password_env",
        "secret_envs",
        "cookies_enabled",
        "usd_per_token",
        "nextPageToken",
        "eos_token",
    ),
    *(
        "cached_tokens",
        "total_tokens",
        "thinking_tokens",
        "first_pass",
        "api_keys_env",
        "api_token_env",
        "header",
        "broken",
    ),
]


@check_rows("name", SECRET_NAMES)
@check_rows("inner", ["hunter2", "", 12345678, 1.5, ["a"], {"user": "u", "pw": "p"}, [[{}]]])
def test_whatever_stands_under_a_secret_name_is_removed(name, inner):
    value = {"a": [{name: inner, "other": 1}]}
    assert assert_safe(Scrubber(), value) == {"a": [{name: REDACTED, "other": 1}]}


@check_rows("name", SECRET_NAMES)
@check_rows("inner", [None, True, False])
def test_whether_there_is_a_secret_may_be_said(name, inner):
    assert assert_safe(Scrubber(), {name: inner}) == {name: inner}


@check_rows("name", OPEN_NAMES)
def test_other_names_are_left_alone(name):
    value = {name: "visible", "n": {name: 7}}
    assert assert_safe(Scrubber(), value) == value
    assert not is_secret_name(name)


CORES = [
    *(
        "token",
        "key",
        "apikey",
        "secret",
        "password",
        "passwd",
        "auth",
        "authorization",
        "cookie",
        "credential",
        "pass",
    ),
    *("api_keys", "apikeys", "access_tokens", "apitokens", "pwd", "db_pass", "auth_header", "sshkey", "bot_token"),
]
core = st.sampled_from(CORES)
joints = st.text(st.sampled_from('-_ .:/@\\"\t\n\u212aé\u0130\u0131\u017f'), max_size=2)
pieces = st.text("abcKkIiSstTokenpw", max_size=5)


@st.composite
def strange_names(draw):
    """Names near those of secrets: with separators within, letters of other alphabets, any case."""
    word = draw(core)
    cut = draw(st.integers(0, len(word)))
    name = draw(pieces) + draw(joints) + word[:cut] + draw(joints) + word[cut:] + draw(joints)
    swaps = [("k", "\u212a"), ("s", "\u017f"), ("i", "\u0130"), ("i", "\u0131"), ("a", "a")]
    shape = draw(st.sampled_from([str, str.upper, str.title]))
    return shape(name.replace(*draw(st.sampled_from(swaps)), 1))


@many
@given(strange_names(), st.sampled_from(["x", 1, [], {}]))
def test_the_fast_path_sees_every_name_that_the_slow_one_hides(name, inner):
    assert_safe(Scrubber(), {name: inner})
    assert_safe(Scrubber(), [{"a": {name: inner}}])


# --- values of the environment ---------------------------------------------------------------------------------


@many
@given(env_secrets, st.data())
def test_a_secret_of_the_environment_is_removed_wherever_it_stands(secret, data):
    value = data.draw(json_around(secret))
    assert not holds(assert_safe(Scrubber([secret]), value), secret)


@many
@given(env_secrets, clean_texts, edges, edges)
def test_a_secret_within_a_text_is_all_that_is_removed(secret, around, before, after):
    text = f"{around}{before}{secret}{after}{around}"
    assume(text.find(secret) == text.rfind(secret) and Scrubber().text(text) == text)
    assume(
        Scrubber().text(f"{around}{before}{REDACTED}{after}{around}") == f"{around}{before}{REDACTED}{after}{around}"
    )
    assert assert_safe(Scrubber([secret]), text) == f"{around}{before}{REDACTED}{after}{around}"


@many
@given(
    env_secrets,
    st.sampled_from([canonical, lambda v: json.dumps(v).encode(), lambda v: json.dumps(v, indent=1).encode()]),
)
def test_a_secret_in_a_blob_of_json_is_removed_however_it_is_escaped(secret, written):
    scrubber = Scrubber([secret])
    data = written({"note": f"it is {secret}", "list": [secret], secret: 1})
    clean = scrubber.bytes(data)
    assert secret not in clean.decode()
    try:
        assert not holds(json.loads(clean), secret)
    except json.JSONDecodeError:
        pytest.fail("the blob is no JSON any more")
    assert scrubber.bytes(clean) == clean


@given(st.lists(env_secrets, min_size=2, max_size=4))
def test_secrets_that_overlap_are_all_removed(secrets):
    clean = assert_safe(Scrubber(secrets), "".join(secrets) + " " + " ".join(secrets))
    assert not any(secret in clean for secret in secrets)


@check_rows(
    "name",
    [
        *("OPENAI_API_KEY", "TOKEN", "github_token", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "X_PASS", "MY_AUTH"),
        *("A_PAT", "PGPASSWORD", "MYSQL_PWD", "DBPASSWORD", "SMTPPASSWORD", "GITHUBTOKEN", "APITOKEN", "MYSECRET"),
        *("OPENAIAPIKEY", "MYPASSWD", "KEYPASSPHRASE", "DBPWD", "PGPASSWORD_OLD"),
    ],
)
def test_the_value_of_a_secret_named_variable_is_a_secret(name):
    scrubber = Scrubber.from_environment({name: "correct horse battery", "HOME": "/somewhere/else"})
    assert scrubber.text("say correct horse battery to /somewhere/else") == f"say {REDACTED} to /somewhere/else"


@check_rows(
    "name",
    ["PATH", "MONKEY", "KEYBOARD", "AUTHOR", "COMPASS", "TOKENIZERS_PARALLELISM", "LANG", "PWD", "OLDPWD", "SECRETARY"],
)
def test_the_value_of_another_variable_is_none(name):
    assert Scrubber.from_environment({name: "a value of it"}).text("a value of it") == "a value of it"


def test_variables_named_by_the_caller_are_secret():
    scrubber = Scrubber.from_environment({"STRANGE": "correct horse"}, extra_names=["STRANGE"])
    assert scrubber.text("correct horse") == REDACTED


@given(st.text(WORD, min_size=1, max_size=MIN_SECRET_LENGTH - 1))
def test_what_is_too_short_to_be_told_apart_is_no_secret(value):
    scrubber = Scrubber.from_environment({"MY_TOKEN": value})
    text = f"before {value} after"
    assert scrubber.text(text) == text


@given(st.text(WORD + "!$&*+", min_size=8, max_size=20))
def test_a_password_in_any_url_of_the_environment_is_a_secret(password):
    scrubber = Scrubber.from_environment({"DATABASE_URL": f"postgres://me:{quote(password)}@host/db"})
    assert scrubber.text(f"it is {password}!") == f"it is {REDACTED}!"
    assert scrubber.text(f"it is {quote(password)} quoted") == f"it is {REDACTED} quoted"


@check_rows(
    ("address", "password"),
    [
        ("postgresql://u:hunter2%21x@h/d", ["hunter2%21x", "hunter2!x"]),
        ("redis://:hunter22@h:6379/0", ["hunter22"]),
        ("postgresql://h/d?user=u&password=hunter%2622&sslmode=require", ["hunter%2622", "hunter&22"]),
        ("redis://h?password=hunter22#x", ["hunter22"]),
        ("postgresql://u:one@h/d?sslpassword=two", ["one", "two"]),
        ("host=h password=hunter22 dbname=d", ["hunter22"]),
        ("password = hunter22 host=h", ["hunter22"]),
        ("host=h password='correct horse' user=u", ["correct horse"]),
        (r"host=h password='it\'s a \\ horse'", [r"it\'s a \\ horse", r"it's a \ horse"]),
        ("host=h passfile=/etc/pgpass", []),
        ("postgresql://h/d?passfile=/x&sslmode=require", []),
        ("host=h password='' user=u", []),
        ("", []),
    ],
)
def test_the_passwords_of_an_address_are_found_however_it_is_written(address, password):
    assert passwords_in(address) == password
    scrubber = Scrubber.from_environment({"DSN": address})
    assert not any(word in scrubber.text(f"it is {word}!") for word in password if len(word) >= MIN_SECRET_LENGTH)


@check_rows("value", ["correct horse\n", "  correct horse", "correct horse\r\n"])
def test_white_space_around_a_value_does_not_hide_it(value):
    scrubber = Scrubber.from_environment({"MY_PASSWORD": value})
    assert "correct horse" not in scrubber.text("x correct horse y")
    assert scrubber.suspects(b"x correct horse y")


@check_rows("value", ["REDACTED", "[REDACTED]", "REDACTED]", "[REDACTED"])
def test_a_value_that_somebody_redacted_before_is_no_secret(value):
    scrubber = Scrubber.from_environment({"MY_PASSWORD": value})
    assert scrubber.text(f"it was {REDACTED}") == f"it was {REDACTED}"


# --- nothing else ----------------------------------------------------------------------------------------------

harmless = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | clean_texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abxyz_ é", max_size=8), inner, max_size=4)
        | st.dictionaries(st.sampled_from(OPEN_NAMES), inner, max_size=2)
    ),
    max_leaves=10,
)


@settings(deadline=None)
@given(harmless)
def test_values_without_a_secret_come_back_equal(value):
    assert assert_safe(Scrubber(["correct horse battery"]), value) == value


@given(st.binary(max_size=200))
def test_bytes_without_a_secret_come_back_as_they_are(data):
    scrubber = Scrubber()
    if not scrubber.suspects(data):
        assert scrubber.bytes(data) is data
    clean = scrubber.bytes(data)
    assert scrubber.bytes(clean) == clean


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_binary_around_a_secret_is_kept(before, after):
    secret = b"correct horse battery"
    scrubber = Scrubber([secret.decode()])
    assume(Scrubber().bytes(before + b"##" + after) == before + b"##" + after)
    assert scrubber.bytes(before + b"#" + secret + b"#" + after) == before + b"#" + REDACTED.encode() + b"#" + after


@check_rows(
    "text",
    [
        "sk-short",
        "AKIA and more",
        "the basic idea of a bearer bond",
        "a token of my esteem; the key to it",
        "mail me@example.org",
        "https://example.org:8080/a@b",
        "eyJhbGciOi is how one begins",
    ],
)
def test_prose_is_left_alone(text):
    assert assert_safe(Scrubber(), {"text": text}) == {"text": text}


def test_two_redacted_keys_do_not_overwrite_each_other():
    secret = "correct horse battery"
    value = {secret: 1, REDACTED: 2, f"{secret}!": 3, "sk-aaaaaaaaaaaaaaaaaaaa": 4}
    clean = Scrubber([secret]).value(value)
    assert sorted(clean.values()) == [1, 2, 3, 4]
    assert not holds(clean, secret)


def test_a_header_at_the_end_of_one_string_does_not_reach_into_the_next():
    scrubber = Scrubber()
    for value in ({"a": "x-api-key: ", "b": "harmless text"}, ["api-key: ", 1234567890123], ["bearer ", "x" * 20]):
        data = canonical(value)
        assert scrubber.value(value) == value
        assert scrubber.bytes(data) == data


def test_the_name_of_a_variable_that_holds_a_secret_is_none():
    environ = {
        "MENDEL_SERVE__TOKEN_ENV": "LAB_TOKEN",
        "LAB_TOKEN": "kept-well-0123456789",
        "OTHER_TOKEN_ENV": "kept-too-1",
    }
    told = Scrubber.from_environment(environ).text("LAB_TOKEN holds kept-well-0123456789, and kept-too-1 is none")
    assert told == "LAB_TOKEN holds [REDACTED], and [REDACTED] is none"
