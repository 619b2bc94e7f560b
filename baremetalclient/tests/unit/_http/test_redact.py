"""What is kept out of logs and messages: secrets, and characters that steer terminals."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient._http import redact
from baremetalclient._http.escapes import printable

SECRETS = [
    {"properties": {"auth_password": "hunter22"}},
    {"properties": {"auth_username": "hunter22"}},
    {"driver_info": {"ipmi_password": "hunter22", "redfish_username": "root"}},
    {"driver_info": {"snmp_auth_key": "hunter22"}},
    {"driver_info": {"snmp_priv_key": "hunter22"}},
    {"auth": {"identity": {"token": {"id": "hunter22"}}}},
    {"user": {"passcode": "hunter22"}},
    {"temp_url_sig": "hunter22"},
    {"rescue_password": "hunter22"},
    {"configdrive": {"user_data": "hunter22"}},
    {"instance_info": {"configdrive": "hunter22"}},
    {"agent_secret_token": "hunter22"},
    {"token": ["hunter22"]},
    {"bmcpassword": "hunter22"},
    {"adminPass": "hunter22"},
    {"apiKeys": "hunter22"},
    {"auth-chap": "hunter22"},
    {"tokens2": "hunter22"},
    {"ipmi_hex_kg_key": "hunter22"},
    {"driver_info": {"snmp_community": "hunter22"}},
    {"driver_info": {"snmp_community_write": "hunter22"}},
    {"driver_info": {"irmc_snmp_priv_password": "hunter22"}},
    {"token": {"id": "hunter22"}},
    {"application_credential": {"secret": "hunter22"}},
    {"credential": {"access": "hunter22", "secret": "hunter22"}},
    {"credential": {"blob": "hunter22"}},
    {"transfer": {"auth_key": "hunter22"}},
    {"auth": {"identity": {"totp": {"user": {"passcode": "hunter22"}}}}},
    [{"op": "add", "path": "/properties/auth_password", "value": "hunter22"}],
    [{"op": "add", "path": "/properties", "value": {"auth_password": "hunter22"}}],
    [{"op": "replace", "path": "/driver_info/ipmi_password", "value": "hunter22"}],
]


@pytest.mark.parametrize("body", SECRETS)
def test_secrets_are_masked_and_found(body):
    assert "hunter22" not in json.dumps(redact.masked(body))
    assert redact.secrets_in(body) == {"hunter22"}


@pytest.mark.parametrize(
    "url",
    [
        "http://root:hunter22@192.0.2.1/image",
        "http://192.0.2.1/image?temp_url_sig=hunter22&temp_url_expires=1",
        "see https://192.0.2.1/image?X-Amz-Date=1&X-Amz-Signature=hunter22 there",
    ],
)
def test_what_opens_a_url_is_a_secret(url):
    assert redact.secrets_in({"instance_info": {"image_source": url}}) == {"hunter22"}


def test_what_was_masked_in_the_log_once_is_masked_wherever_it_appears_there_later():
    assert redact.mask_log({'hunter "of" logs'}, 'is hunter "of" logs') == "is ******"
    later = json.dumps({"last_error": 'Failed with hunter "of" logs.'})
    assert redact.mask_log(set(), later) == '{"last_error": "Failed with ******."}'
    # What commands print does not depend on what was logged.
    assert redact.masked({"name": 'hunter "of" logs'}) == {"name": 'hunter "of" logs'}


def test_the_log_remembers_no_more_than_some_secrets():
    for number in range(3000):
        redact.mask_log({f"secret-{number:04}"}, "")
    assert redact.mask_log(set(), "secret-0000 secret-2999") == "secret-0000 ******"
    assert len(redact._logged) <= 1000


def test_words_of_json_are_no_secrets():
    body = {"disable_token": True, "secret": None, "password": {"is_set": False}}
    assert redact.secrets_in(body) == set()


def test_the_rest_stays():
    body = {"name": "node-1", "extra": {"n": [1, None, True]}, "power_state": "power off"}
    body |= {"chapter": "1", "tokenizer": "bpe", "secretary": "Ann", "authority": "CA", "keys": "2"}
    assert redact.masked(body) == body
    assert redact.secrets_in(body) == set()


def test_what_is_missing_or_masked_already_stays():
    for body in (
        {"auth_password": None, "secure_boot": False},
        {"auth_password": "******", "token": "******"},
    ):
        assert redact.masked(body) == body


def test_headers_with_tokens_are_masked():
    headers = {"X-Auth-Token": "t", "Authorization": "Basic x", "Cookie": "c", "Accept": "json"}
    assert redact.masked_headers(headers) == {
        "X-Auth-Token": "******",
        "Authorization": "******",
        "Cookie": "******",
        "Accept": "json",
    }


def test_secrets_are_taken_out_of_texts():
    assert redact.mask_texts({"pass", "password1"}, "no password1 here") == "no ****** here"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"uuid": "u", "ipmi_password": "hunt', '{"uuid": "u", "ipmi_password": ******'),
        ("user=root&password=hunter22", "user=root&password= ******"),
        (
            '[{"path": "/driver_info/ipmi_password", "value": "hunt',
            '[{"path": "/driver_info/ipmi_password", ******',
        ),
        ("Your token has expired.", "Your token has expired."),
    ],
)
def test_what_is_not_json_ends_at_its_first_secret(text, expected):
    assert redact.masked_text(text) == expected


def test_remembered_secrets_are_masked_in_what_is_not_json():
    redact.remember("hunter-of-texts")
    assert redact.masked_text("<p>hunter-of-texts</p>") == "<p>******</p>"


def test_empty_secrets_are_not_masked():
    redact.remember("")
    assert redact.masked({"a": "", "b": ["text"]}) == {"a": "", "b": ["text"]}
    assert redact.mask_texts(set(), "text") == "text"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb", r"a\u200bb"),
        ("a\u2060\ufeffb", r"a\u2060\ufeffb"),
        ("\u202ea", r"\u202ea"),
        ("a\U000e0041", r"a\U000e0041"),
        ("\x1b[2J", r"\x1b[2J"),
        ("é\tä\n", "é\tä\n"),
    ],
)
def test_characters_that_are_not_seen_are_shown(text, shown):
    assert printable(text) == shown


def test_words_of_any_language_stay():
    assert printable("Knoten № 1: 节点 🙂\tx\n") == "Knoten № 1: 节点 🙂\tx\n"


@given(st.text())
def test_the_result_can_be_encoded_and_steers_nothing(text):
    result = printable(text)
    result.encode()
    assert all(letter in "\n\t" or ord(letter) >= 0x20 for letter in result)


@pytest.mark.parametrize("mask", [redact.masked_text, redact.masked_command_line])
@pytest.mark.parametrize("piece", ["-", "secret_", "--secret-", " ", "password ", "a", "{"])
def test_time_grows_no_faster_than_the_text(mask, piece):
    def seconds_of(length):
        begun = time.process_time()
        mask(piece * (length // len(piece)))
        return time.process_time() - begun

    # Where each character is compared with each other one, it takes 64 times as long.
    few, many = (min(seconds_of(length) for _ in range(3)) for length in (2000, 16000))
    assert many < 32 * max(few, 0.001)
